import { oneLine } from '../../run/command.ts';
import { UserError } from '../../run/userError.ts';
import { checkName } from './checkName.ts';
import { type DialectName, dialects, isDialectName } from './dialect.ts';
import { hubAddress } from './hubAddress.ts';
import { LEAST_MESSAGE_KB, MOST_MESSAGE_KB, MOST_SEED_NUMBER, MOST_SEED_ROWS } from './limits.ts';
import { type Authentication, encodings, type Partitioning, partitionSchemes, type Source } from './plan.ts';
import type { SqlRequest } from './sqlRequest.ts';
import { parseTableName, type TableName, tableText } from './tableName.ts';

type Flags = Readonly<Record<string, unknown>>;

/** Reads the options of `sql`. @throws UserError for what makes no sense or cannot work. */
export function readSqlRequest(flags: Flags): SqlRequest {
  return { kind: 'sql', wanted: wantedOf(flags), json: flags['json'] === true };
}

function wantedOf(flags: Flags): SqlRequest['wanted'] {
  const source = sourceOf(flags);
  for (const way of ['seed', 'seedEnd', 'disable']) {
    if (flags[way] === true) refuseHub(flags);
  }
  if (flags['disable'] === true) return { kind: 'disable', ...source };
  const column = checkName('--seed-column', textOf(flags, 'seedColumn'));
  if (flags['seedEnd'] === true) return { kind: 'seed-end', ...source, column };
  const changedColumnsOnly = flags['changedColumnsOnly'] === true;
  if (flags['seed'] === true) {
    if (changedColumnsOnly) {
      throw new UserError(
        '--seed: with --changed-columns-only an event would carry the key and the column of the seed only; add the table with all columns first',
      );
    }
    return {
      kind: 'seed',
      ...source,
      column,
      number: numberOf(flags, 'seedNumber', '--seed-number', 1, MOST_SEED_NUMBER),
      rows: numberOf(flags, 'seedRows', '--seed-rows', 1, MOST_SEED_ROWS),
    };
  }
  const { namespace, hub } = flags;
  // Checked here already, so that options are refused before settings are read.
  const given = {
    ...(typeof namespace === 'string' && { namespace: hubAddress({ namespace, hub: 'any' }, {}).namespace }),
    ...(typeof hub === 'string' && { hub: hubAddress({ namespace: 'any', hub }, {}).hub }),
  };
  return {
    kind: 'set-up',
    ...source,
    ...given,
    credential: checkName('--credential', textOf(flags, 'credential')),
    authentication: authenticationOf(flags, source.dialect),
    partitioning: partitioningOf(flags),
    encoding: encodings.find((name) => name === flags['encoding']) ?? 'JSON',
    messageKb: numberOf(flags, 'messageKb', '--message-kb', LEAST_MESSAGE_KB, MOST_MESSAGE_KB),
    changedColumnsOnly,
  };
}

/** Where the hub is matters to the set-up only: who names it elsewhere expects something that does not happen. */
function refuseHub(flags: Flags): void {
  for (const name of ['namespace', 'hub']) {
    if (flags[name] !== undefined)
      throw new UserError(
        `--${name} goes with the set-up only: leave it out with --seed, --seed-end and --disable`,
      );
  }
}

function sourceOf(flags: Flags): Source {
  const dialect = textOf(flags, 'dialect');
  if (!isDialectName(dialect)) {
    throw new UserError(`--dialect: '${oneLine(dialect)}' is none of ${Object.keys(dialects).join(', ')}`);
  }
  return {
    dialect,
    database: checkName('--database', textOf(flags, 'database')),
    group: checkName('--group', textOf(flags, 'group')),
    tables: tablesOf(flags['table']),
  };
}

function tablesOf(given: unknown): TableName[] {
  const tables = (Array.isArray(given) ? given : []).map((text) => parseTableName('--table', String(text)));
  const names = new Set<string>();
  for (const table of tables) {
    const name = tableText(table);
    if (table.table.includes('.')) {
      throw new UserError(
        `--table: CES does not stream ${name}: names of tables must not have a period in them`,
      );
    }
    if (names.has(name)) throw new UserError(`--table: ${name} is there twice`);
    names.add(name);
  }
  if (tables.length === 0) throw new UserError('--table: name one or more');
  return tables;
}

function authenticationOf(flags: Flags, dialect: DialectName): Authentication {
  const { entra, product } = dialects[dialect];
  const how = flags['auth'] ?? (entra === undefined ? 'key' : 'entra');
  const policy = flags['policy'];
  if (how === 'entra') {
    if (entra === undefined) {
      throw new UserError(`--auth: ${product} cannot sign in with Microsoft Entra; use --auth key`);
    }
    if (policy !== undefined) throw new UserError('--policy goes with --auth key only');
    return { kind: 'entra' };
  }
  if (typeof policy !== 'string') {
    throw new UserError(
      '--policy: name the shared access policy of the hub with the right Send, whose key is used',
    );
  }
  return { kind: 'key', policy: checkName('--policy', policy) };
}

function partitioningOf(flags: Flags): Partitioning {
  const scheme = partitionSchemes.find((name) => name === flags['partitionScheme']) ?? 'Table';
  const column = flags['partitionColumn'];
  if (scheme === 'Column') {
    if (typeof column !== 'string') throw new UserError('--partition-column: the scheme Column needs it');
    return { scheme, column: checkName('--partition-column', column) };
  }
  if (column !== undefined)
    throw new UserError('--partition-column goes with --partition-scheme Column only');
  return { scheme };
}

function numberOf(flags: Flags, name: string, option: string, least: number, most: number): number {
  const text = textOf(flags, name);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UserError(`${option}: '${oneLine(text)}' is not a whole number from ${least} to ${most}`);
}

function textOf(flags: Flags, name: string): string {
  const value = flags[name];
  return typeof value === 'string' ? value : '';
}
