import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { type Environment, readSettings, type Settings } from '../../src/settings/readSettings.ts';
import { checkConnections } from './checkConnections.ts';
import { readSettingsFile, SETTINGS_FILE } from './settingsFile.ts';

/**
 * The settings of the app: environment variables, else what a settings file has.
 * @param file undefined: `local.settings.json`, if it is there.
 * @param writes whether the replica is written to: by settings that were made for this machine it must not be.
 * @throws UserError when the file cannot be used, or what it has does not go together; ConfigurationError for
 * settings that are missing or wrong.
 */
export async function readOpsSettings(
  file: string | undefined,
  environment: Environment,
  writes = false,
): Promise<Settings> {
  const values = await readSettingsFile(file);
  const all = { ...values, ...environment };
  checkConnections(all, { writes, unasked: values !== undefined && file === undefined });
  try {
    return readSettings(all);
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
  return { ...(await readSettingsFile(file)), ...environment };
}
