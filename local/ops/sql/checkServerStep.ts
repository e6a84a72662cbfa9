import { dialects } from './dialect.ts';
import { block, guardedStep, note, throwIf, throwText } from './guard.ts';
import type { SetUpPlan } from './plan.ts';
import type { Step } from './step.ts';

/** Cumulative update of SQL Server 2025 from which on CES takes a managed identity. */
const ENTRA_UPDATE = 3;
/** `max text repl size` from which on CES cuts values anyway, in bytes. */
const CUT_BYTES = 1_048_576;

/**
 * What has to be so before anything is changed, and on SQL Server the database options that CES needs.
 * Source: "Configure change event streaming", prerequisites and limitations (2026-08-15).
 */
export function checkServerStep(plan: SetUpPlan): Step {
  const { product, ownServer, preview } = dialects[plan.dialect];
  return guardedStep(plan.database, 'Check the server and the database', [
    throwIf(
      `OBJECT_ID(N'sys.sp_create_event_stream_group') IS NULL`,
      plan.dialect === 'managed-instance'
        ? 'this instance has no change event streaming: its update policy must be SQL Server 2025 or Always-up-to-date'
        : `this server has no change event streaming: it must be ${product}`,
    ),
    throwIf(
      `HAS_PERMS_BY_NAME(QUOTENAME(DB_NAME()), N'DATABASE', N'CONTROL') = 0`,
      'connect as a member of db_owner, or with CONTROL on the database',
    ),
    throwIf(
      `EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND (is_cdc_enabled = 1 OR is_published = 1))`,
      'CES does not work beside change data capture or transactional replication; turn that off first',
    ),
    ...(preview ? sqlServer(plan) : []),
    ...(ownServer ? largeValues() : []),
  ]);
}

function sqlServer({ authentication }: SetUpPlan): string[] {
  const update = `TRY_CAST(SUBSTRING(CAST(SERVERPROPERTY(N'ProductUpdateLevel') AS nvarchar(128)), 3, 10) AS int)`;
  const previewOn = `EXISTS (SELECT * FROM sys.database_scoped_configurations WHERE name = N'PREVIEW_FEATURES' AND CAST(value AS int) = 1)`;
  return [
    throwIf(
      `(SELECT host_platform FROM sys.dm_os_host_info) <> N'Windows'`,
      'CES does not work on SQL Server on Linux',
    ),
    ...(authentication.kind === 'entra'
      ? [
          `-- That the instance is enabled by Azure Arc, or on an Azure VM, and has an identity, cannot be asked here.`,
          throwIf(
            `COALESCE(${update}, 0) < ${ENTRA_UPDATE}`,
            `a managed identity needs Cumulative Update ${ENTRA_UPDATE} or later; update, or use a key (--auth key)`,
          ),
        ]
      : []),
    ...block(
      `IF EXISTS (SELECT * FROM sys.databases WHERE database_id = DB_ID() AND recovery_model_desc <> N'FULL')`,
      [
        'ALTER DATABASE CURRENT SET RECOVERY FULL;',
        note(
          'The recovery model is FULL now: back the database and from now on its log up, or the log grows.',
        ),
      ],
    ),
    `-- CES is a preview in SQL Server 2025.`,
    `IF NOT ${previewOn}`,
    `    ALTER DATABASE SCOPED CONFIGURATION SET PREVIEW_FEATURES = ON;`,
    `IF NOT ${previewOn}`,
    `    ${throwText('PREVIEW_FEATURES could not be turned on')}`,
  ];
}

/** With CES, writing a LOB value beyond this server option fails; it is 65,536 bytes by default. */
function largeValues(): string[] {
  return [
    `-- The option is the whole server's, so it is left to you.`,
    `IF EXISTS (SELECT * FROM sys.configurations WHERE name = N'max text repl size (B)'`,
    `    AND CAST(value_in_use AS int) BETWEEN 0 AND ${CUT_BYTES - 1})`,
    `    ${note("With CES, values of LOB columns above 'max text repl size' cannot be written. Where there are such: EXEC sys.sp_configure N'max text repl size', -1; RECONFIGURE;")}`,
  ];
}
