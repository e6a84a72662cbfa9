import type { Environment } from '../../src/settings/readSettings.ts';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';
import { UserError } from '../run/userError.ts';
import { SETTINGS_FILE } from './settingsFile.ts';

interface Use {
  /** The replica is written to. */
  readonly writes: boolean;
  /** Settings come from `local.settings.json` since it happens to be there. */
  readonly unasked: boolean;
}

/**
 * Refuses settings of a deployed app that are mixed with those for this machine: a key that wins over the endpoint
 * that was meant, or a replay by another epoch, other tombstones, other masks than those of the app. With such, rows
 * that were deleted come back, and changes that are newer end as superseded.
 * @throws UserError
 */
export function checkConnections(values: Environment, { writes, unasked }: Use): void {
  if (values['BLOB_ENDPOINT'] && values['BLOB_CONNECTION_STRING'])
    throw new UserError(
      'BLOB_ENDPOINT and BLOB_CONNECTION_STRING are both set, and the connection string would win: take one of them out',
    );
  if (!isRemote(values['COSMOS_ENDPOINT'])) return;
  if (values['COSMOS_KEY'] === settingsCatalogue.COSMOS_KEY.example)
    throw new UserError(
      'COSMOS_KEY is the one of the local servers, and COSMOS_ENDPOINT is not: take the key out, to sign in with az login',
    );
  if (writes && unasked)
    throw new UserError(
      `${SETTINGS_FILE} has the settings of this machine: epoch, tombstones and per-table choices of the deployed app may be others. ${FETCH}`,
    );
}

const FETCH =
  'az functionapp config appsettings list --resource-group <group> --name <app> > app-settings.json has them; name that file with --settings';

function isRemote(endpoint = ''): boolean {
  const host = URL.parse(endpoint)?.hostname;
  return host !== undefined && !['localhost', '127.0.0.1', '[::1]'].includes(host);
}
