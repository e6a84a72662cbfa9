import { resolve } from 'node:path';
import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { type Environment, readSettings, type Settings } from '../../src/settings/readSettings.ts';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import { UserError } from './userError.ts';

/** The per-table choices of a run that connects to nothing of the user's. */
export interface Choices {
  /** The app settings that they follow from, for the app itself. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: Pick<Settings, 'rules' | 'tombstoneSeconds'>;
  /** A column is masked and no salt is set, so that hashes are not those of an app that has one. */
  readonly placeholderSalt: boolean;
}

/** Settings that decide what a message becomes. */
const DECIDING = [
  'REPLICA_CONFIG',
  'MASK_SALT',
  'REPLICA_EPOCH',
  'HUB_RETENTION_DAYS',
  'TOMBSTONE_DAYS',
] as const;

/** Stands in for MASK_SALT where a look at what masks do is all that is wanted. */
const PLACEHOLDER_SALT = 'a placeholder, since no salt is set';

/**
 * Reads the choices from those settings that decide about messages; the others can be missing.
 * @param config path of a document, instead of the setting REPLICA_CONFIG.
 * @throws UserError when the document cannot be used; ConfigurationError for settings that are wrong.
 */
export function readChoices(config: string | undefined, environment: Environment): Choices {
  const given = Object.fromEntries(
    DECIDING.flatMap((name) => {
      const value = environment[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value] as const];
    }),
  );
  const saltMissing = given['MASK_SALT'] === undefined;
  const chosen = {
    ...given,
    ...(config !== undefined && { REPLICA_CONFIG: resolve(config) }),
    ...(saltMissing && { MASK_SALT: PLACEHOLDER_SALT }),
  };
  try {
    const settings = readSettings({ ...examples, ...chosen });
    return { environment: chosen, settings, placeholderSalt: saltMissing && settings.rules.masks };
  } catch (error) {
    if (!(error instanceof ConfigurationError) || config === undefined) throw error;
    throw new UserError(`--config ${config}: ${error.message}`, { cause: error });
  }
}

/** Whatever connects is not used here, but has to be there. */
const examples = Object.fromEntries(
  Object.entries(settingsCatalogue).map(([name, { example }]) => [name, example]),
);
