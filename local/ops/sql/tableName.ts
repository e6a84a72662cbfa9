import { oneLine } from '../../run/command.ts';
import { UserError } from '../../run/userError.ts';
import { checkName } from './checkName.ts';
import { identifier } from './quote.ts';

/** A table of the source, by its names as they are. */
export interface TableName {
  readonly schema: string;
  readonly table: string;
}

const REGULAR = /^[\p{L}_][\p{L}\p{Nd}_@$#]*$/u;
const PART = String.raw`(?:[\p{L}_][\p{L}\p{Nd}_@$#]*|\[(?:[^\]]|\]\])+\])`;
const TWO_PARTS = new RegExp(String.raw`^(${PART})\.(${PART})$`, 'u');

/**
 * Reads a table as T-SQL writes it: `dbo.Orders`, or `[my schema].[order]]s]`.
 * @throws UserError unless there are just a schema and a name, bracketed where they need it.
 */
export function parseTableName(option: string, text: string): TableName {
  const [, schema, table] = TWO_PARTS.exec(text) ?? [];
  if (schema === undefined || table === undefined) {
    throw new UserError(
      `${option}: '${oneLine(text)}' is not a table such as dbo.Orders or [my schema].[my table], with ]] for ] in it`,
    );
  }
  return { schema: checkName(option, bare(schema)), table: checkName(option, bare(table)) };
}

/** The table in a statement: always bracketed. */
export function quotedTable({ schema, table }: TableName): string {
  return `${identifier(schema)}.${identifier(table)}`;
}

/** The table as a user would write it, bracketed where it must be. */
export function tableText({ schema, table }: TableName): string {
  return [schema, table].map((name) => (REGULAR.test(name) ? name : identifier(name))).join('.');
}

function bare(part: string): string {
  return part.startsWith('[') ? part.slice(1, -1).replaceAll(']]', ']') : part;
}
