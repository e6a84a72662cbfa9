import { readFile } from 'node:fs/promises';
import type { Environment } from '../../src/settings/readSettings.ts';
import { UserError } from '../run/userError.ts';

/** Where Core Tools keep the settings of an app. */
export const SETTINGS_FILE = 'local.settings.json';

/**
 * The values of a settings file: an object `Values`, as Core Tools have it, or the list that
 * `az functionapp config appsettings list` gives of a deployed app.
 * @param file undefined: `local.settings.json`.
 * @returns undefined when there is no file and none was asked for.
 * @throws UserError when the file cannot be used.
 */
export async function readSettingsFile(file: string | undefined): Promise<Environment | undefined> {
  const path = file ?? SETTINGS_FILE;
  const text = await readText(path, file !== undefined);
  if (text === undefined) return undefined;
  const content = parse(path, text);
  return Array.isArray(content) ? ofDeployedApp(path, content) : ofCoreTools(path, asObject(content));
}

function ofCoreTools(path: string, content: Json | undefined): Environment {
  if (content?.['IsEncrypted'] === true) {
    throw new UserError(`${path} is encrypted; func settings decrypt makes it readable`);
  }
  const values = asObject(content?.['Values']);
  if (values === undefined) throw new UserError(`${path} has no object "Values" with the app settings`);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

function ofDeployedApp(path: string, entries: readonly unknown[]): Environment {
  const settings = entries.map((entry) => {
    const { name, value } = asObject(entry) ?? {};
    if (typeof name === 'string' && typeof value === 'string') return [name, value] as const;
    throw new UserError(`${path} is a list, but not one of app settings with "name" and "value"`);
  });
  return Object.fromEntries(settings.filter(([name]) => name !== IDENTITY_OF_APP));
}

/** Only the app itself can sign in with it; whoever runs a command signs in as themselves. */
const IDENTITY_OF_APP = 'AZURE_CLIENT_ID';

async function readText(path: string, required: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    if (code === 'ENOENT' && !required) return undefined;
    throw new UserError(`${path} cannot be read (${code}); give a file in the form of ${SETTINGS_FILE}`, {
      cause: error,
    });
  }
}

function parse(path: string, text: string): unknown {
  try {
    // Editors on Windows put a byte order mark in front, which JSON.parse refuses.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new UserError(`${path} is not JSON; see local.settings.json.example for its form`, { cause });
  }
}

type Json = Readonly<Record<string, unknown>>;

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}
