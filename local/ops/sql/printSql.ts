import type { Environment } from '../../../src/settings/readSettings.ts';
import type { Output } from '../output.ts';
import { hubAddress } from './hubAddress.ts';
import { makeSteps } from './makeSteps.ts';
import type { Plan } from './plan.ts';
import { renderScript } from './renderScript.ts';
import type { SqlRequest } from './sqlRequest.ts';

/**
 * Prints the script.
 * @param readValues the settings of the app; called only when the options do not say where the hub is.
 * @throws ConfigurationError, UserError when the settings do not say it either.
 */
export async function printSql(
  { wanted, json }: SqlRequest,
  readValues: () => Promise<Environment>,
  output: Output,
): Promise<void> {
  const plan = await planOf(wanted, readValues);
  const steps = makeSteps(plan);
  output.write(json ? `${JSON.stringify({ steps }, null, 2)}\n` : renderScript(plan, steps));
}

async function planOf(wanted: SqlRequest['wanted'], readValues: () => Promise<Environment>): Promise<Plan> {
  if (wanted.kind !== 'set-up') return wanted;
  const { namespace, hub } = wanted;
  const known = namespace !== undefined && hub !== undefined;
  return { ...wanted, ...hubAddress(wanted, known ? {} : await readValues()) };
}
