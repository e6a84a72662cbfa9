import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { type Environment, readSettings, type Settings } from '../../src/settings/readSettings.ts';
import { UserError } from '../run/userError.ts';

/** Where Core Tools keep the settings of an app. */
const SETTINGS_FILE = 'local.settings.json';

/**
 * The settings of the app: environment variables, else what a settings file has under `Values`, as Core Tools
 * take them.
 * @param file undefined: `local.settings.json`, if it is there.
 * @throws UserError when the file cannot be used; ConfigurationError for settings that are missing or wrong.
 */
export async function readOpsSettings(file: string | undefined, environment: Environment): Promise<Settings> {
  const values = await readFileValues(file);
  try {
    return readSettings({ ...values, ...environment });
  } catch (error) {
    if (!(error instanceof ConfigurationError) || values !== undefined) throw error;
    const hint = `there is no ${SETTINGS_FILE}: copy ${SETTINGS_FILE}.example to that name, or name a file with --settings`;
    throw new ConfigurationError(`${error.message}\n${hint}`, { cause: error });
  }
}

/** The same values, not checked. @throws UserError when the file cannot be used. */
export async function readOpsValues(
  file: string | undefined,
  environment: Environment,
): Promise<Environment> {
  return { ...(await readFileValues(file)), ...environment };
}

/** Undefined when there is no file and none was asked for. */
async function readFileValues(file: string | undefined): Promise<Environment | undefined> {
  const path = file ?? SETTINGS_FILE;
  const text = await readText(path, file !== undefined);
  if (text === undefined) return undefined;
  const content = asObject(parse(path, text));
  if (content?.['IsEncrypted'] === true) {
    throw new UserError(`${path} is encrypted; func settings decrypt makes it readable`);
  }
  const values = asObject(content?.['Values']);
  if (values === undefined) throw new UserError(`${path} has no object "Values" with the app settings`);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

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

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
