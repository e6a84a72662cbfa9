import { closestMatch } from 'leven';
import { z } from 'zod';

export const jsonType = z.enum(['number', 'text', 'boolean']).meta({
  description:
    'number: where a double holds the digits, zeros at either end apart; text otherwise. boolean: of 0, 1, true and false; text otherwise. text: as SQL Server sent it.',
});

const typeName = z
  .string()
  .regex(
    /^[a-z_][a-z0-9_ ]*$/,
    'is not the name of an SQL type in lower case without arguments, such as bigint',
  );

/** JSON types by SQL type: its name as T-SQL writes it in lower case, without arguments. */
export const typeChoices = z.record(typeName, jsonType).superRefine((choices, context) => {
  for (const [type, json] of Object.entries(choices)) {
    const message = complaint(type, json);
    if (message !== undefined) context.addIssue({ code: 'custom', path: [type], message });
  }
});

function complaint(type: string, json: z.infer<typeof jsonType>): string | undefined {
  if (json !== 'text' && onlyText.has(type)) return `no value of ${type} is a ${json}: leave it out`;
  // Another name may be that of a type that is newer than this list, but not one that is hardly another.
  const meant = known.has(type)
    ? undefined
    : closestMatch(type, [...known], { maxDistance: LARGEST_DISTANCE });
  return meant === undefined ? undefined : `unknown type, did you mean ${JSON.stringify(meant)}?`;
}

/** Characters by which a name may differ from what it is taken for. */
const LARGEST_DISTANCE = 1;

/** Types whose texts are never those of numbers or booleans. */
const onlyText: ReadonlySet<string> = new Set([
  'date',
  'time',
  'datetime',
  'smalldatetime',
  'datetime2',
  'datetimeoffset',
  'uniqueidentifier',
  'binary',
  'varbinary',
]);

/** The types that CES sends; it skips columns of all others (What is change event streaming, limitations). */
const known: ReadonlySet<string> = new Set([
  ...onlyText,
  ...['bit', 'tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'smallmoney', 'money'],
  ...['real', 'float', 'char', 'varchar', 'nchar', 'nvarchar'],
]);
