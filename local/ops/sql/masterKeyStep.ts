import { block, guardedStep, throwIf } from './guard.ts';
import type { SetUpPlan } from './plan.ts';
import type { Step } from './step.ts';

const MISSING = `NOT EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = N'##MS_DatabaseMasterKey##')`;

/**
 * The key that protects the credential. Its password is made on the server and nobody sees it: the server opens the
 * key with its own. Another password can be added as long as that is so, and must be where the database moves.
 */
export function masterKeyStep({ database }: SetUpPlan): Step {
  return guardedStep(database, 'Create the master key of the database', [
    `-- The password is random and not kept: this server opens the key without it. For a database that moves to another`,
    `-- server (a restore, a failover), add one that you know: ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = '...'.`,
    ...block(`IF ${MISSING}`, [
      `DECLARE @password nvarchar(128) = CONCAT(N'aA1!', CONVERT(nvarchar(100), CRYPT_GEN_RANDOM(32), 2));`,
      `DECLARE @sql nvarchar(max) = CONCAT(N'CREATE MASTER KEY ENCRYPTION BY PASSWORD = N''', @password, N''';');`,
      `EXEC sys.sp_executesql @sql;`,
    ]),
    throwIf(MISSING, 'the master key was not created'),
  ]);
}
