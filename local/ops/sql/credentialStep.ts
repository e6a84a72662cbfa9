import { dialects } from './dialect.ts';
import { guardedStep, throwIf } from './guard.ts';
import type { SetUpPlan } from './plan.ts';
import { dynamicSql, expression, identifier, literal } from './quote.ts';
import type { Step } from './step.ts';

/** Variable of sqlcmd that has the key of the policy; sqlcmd takes it from the environment. */
export const KEY_VARIABLE = 'EVENT_HUB_KEY';

/** IDENTITY of a credential that has CES connect with the identity of the server ("Configure change event streaming"). */
const MANAGED_IDENTITY = 'Managed Identity';

/** The database scoped credential with which CES sends. SAS tokens do not work over Kafka. */
export function credentialStep(plan: SetUpPlan): Step {
  const { authentication, database } = plan;
  const title = 'Create the credential for the event hub';
  return guardedStep(
    database,
    title,
    authentication.kind === 'entra' ? entra(plan) : key(plan, authentication.policy),
  );
}

function exists(credential: string, and = ''): string {
  return `EXISTS (SELECT * FROM sys.database_scoped_credentials WHERE name = ${literal(credential)}${and})`;
}

function entra({ credential, dialect, hub }: SetUpPlan): string[] {
  const identity = ` AND credential_identity = ${literal(MANAGED_IDENTITY)}`;
  return [
    `-- The sender is ${dialects[dialect].entra ?? 'not there'}.`,
    `-- It needs the role Azure Event Hubs Data Sender on the event hub ${hub}.`,
    `IF NOT ${exists(credential)}`,
    `    CREATE DATABASE SCOPED CREDENTIAL ${identifier(credential)} WITH IDENTITY = ${literal(MANAGED_IDENTITY)};`,
    throwIf(
      `NOT ${exists(credential, identity)}`,
      `there is another credential of the name ${credential}; choose a name with --credential`,
    ),
  ];
}

/** The key stands in a variable of the batch only, and in no message. */
function key({ credential }: SetUpPlan, policy: string): string[] {
  const secret = expression(`@key`);
  const withKey = `DATABASE SCOPED CREDENTIAL ${identifier(credential)} WITH IDENTITY = ${literal(policy)}, SECRET = N'`;
  return [
    `-- The primary or secondary key of a shared access policy of the hub with the right Send. sqlcmd reads it from the`,
    `-- environment variable ${KEY_VARIABLE}; elsewhere put it here. A new run puts a new key in; whether CES goes on with`,
    `-- it by itself is not documented, so look at the errors of the last step afterwards.`,
    `DECLARE @key nvarchar(4000) = N'$(${KEY_VARIABLE})';`,
    throwIf(
      `@key = N'' OR @key LIKE N'%[^A-Za-z0-9+/=]%'`,
      `set ${KEY_VARIABLE} to the key of the policy ${policy}, which is Base64`,
    ),
    `DECLARE @sql nvarchar(max);`,
    `IF ${exists(credential)}`,
    `    SET @sql = ${dynamicSql`ALTER ${withKey}${secret}';`};`,
    `ELSE`,
    `    SET @sql = ${dynamicSql`CREATE ${withKey}${secret}';`};`,
    `EXEC sys.sp_executesql @sql;`,
    throwIf(
      `NOT ${exists(credential, ` AND credential_identity = ${literal(policy)}`)}`,
      `the credential ${credential} was not created`,
    ),
  ];
}
