import { CommanderError } from 'commander';
import type { LetterFilter } from '../../src/deadletter/letterFilter.ts';
import { dataErrors } from '../../src/errors/dataErrors.ts';
import { oneLine } from '../run/command.ts';
import { UserError } from '../run/userError.ts';
import { type Flags, makeCommand } from './command.ts';
import { MAX_LISTED } from './limits.ts';
import type { Request, Selection } from './request.ts';
import { readSqlRequest } from './sql/readSqlRequest.ts';

/**
 * Reads the command line.
 * @param args without the names of node and of the script.
 * @returns undefined when help was asked for and has been printed.
 * @throws UserError for anything that makes no sense.
 */
export function parseRequest(args: readonly string[]): Request | undefined {
  let request: Request | undefined;
  const command = makeCommand((kind, names, flags) => {
    const settings = textOf(flags, 'settings');
    request = { ...requestOf(kind, names, flags), ...(settings !== undefined && { settings }) };
  });
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    if (error.code === 'commander.help') throw new UserError(WHAT_THERE_IS, { cause: error });
    const hint =
      error.code === 'commander.excessArguments'
        ? 'options come after --, as in npm run ops -- dead-letters list --code no-key'
        : '--help lists what there is';
    throw new UserError(`${oneLine(error.message)}; ${hint}`, { cause: error });
  }
  return request;
}

const WHAT_THERE_IS =
  'say what to do: dead-letters list, dead-letters show, dead-letters replay, dead-letters discard, explain or sql; --help explains';

function requestOf(kind: Request['kind'], names: readonly string[], flags: Flags): Request {
  const json = flags['json'] === true;
  switch (kind) {
    case 'list': {
      const after = textOf(flags, 'after');
      const limit = limitOf(textOf(flags, 'limit'));
      return { kind, filter: filterOf(flags), limit, json, ...(after !== undefined && { after }) };
    }
    case 'show':
      return { kind, name: names[0] ?? '', json, body: flags['body'] === true };
    case 'replay':
      return { kind, selection: selectionOf(names, flags), create: flags['create'] === true, json };
    case 'explain': {
      const config = textOf(flags, 'config');
      return { kind, path: names[0] ?? '', json, ...(config !== undefined && { config }) };
    }
    case 'discard':
      return { kind, selection: selectionOf(names, flags), yes: flags['yes'] === true };
    case 'sql':
      return readSqlRequest(flags);
    default:
      return kind satisfies never;
  }
}

/** Nothing is replayed or removed that was not named in some way. */
function selectionOf(names: readonly string[], flags: Flags): Selection {
  const filter = filterOf(flags);
  const filtered = Object.keys(filter).length > 0;
  const ways = [names.length > 0, filtered, flags['all'] === true].filter((given) => given).length;
  if (ways === 1)
    return names.length > 0 ? { kind: 'names', names: [...new Set(names)] } : { kind: 'filter', filter };
  throw new UserError(
    ways === 0
      ? 'say which dead letters: their names, or --code, --day or --table, or --all'
      : 'give either names, or some of --code, --day and --table, or --all',
  );
}

function filterOf(flags: Flags): LetterFilter {
  const code = textOf(flags, 'code');
  const day = textOf(flags, 'day');
  const table = textOf(flags, 'table');
  if (code !== undefined && !Object.hasOwn(dataErrors, code)) {
    throw new UserError(`--code: '${oneLine(code)}' is none of ${Object.keys(dataErrors).join(', ')}`);
  }
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    throw new UserError(`--day: '${oneLine(day)}' is not a day such as 2026-08-07`);
  }
  if (table !== undefined && table.split('.').length < TABLE_PARTS) {
    throw new UserError(`--table: '${oneLine(table)}' is not a table such as db1.dbo.Purchases`);
  }
  return {
    ...(code !== undefined && { code }),
    ...(day !== undefined && { day }),
    ...(table !== undefined && { table }),
  };
}

/** Database, schema and name; each may have dots of its own. */
const TABLE_PARTS = 3;

function limitOf(text = ''): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LISTED) return limit;
  throw new UserError(`--limit: '${oneLine(text)}' is not a whole number from 1 to ${MAX_LISTED}`);
}

function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}
