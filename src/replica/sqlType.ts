/** A declared SQL type as CES writes it, such as `decimal(18,2)`, taken apart. */
export interface SqlType {
  /** Lower case, without arguments. */
  readonly name: string;
  /** First argument: the precision of a decimal; undefined when not written. */
  readonly precision: number | undefined;
}

/** Takes time in proportion to the text: no part can match what the part after it matches. */
const form = /^([a-z_]\w*(?: +\w+)*) *(?:\( *(\d+|max) *(?:, *\d+ *)?\))?$/i;
const parsed = new Map<string, SqlType>();
/** Distinct declared types remembered; tables have few. */
const MOST_REMEMBERED = 10_000;
/** Longest text remembered, in characters: a type name has at most 128. */
const LONGEST_REMEMBERED = 200;

/** Text in any other form is a type of its own, of which nothing is known. */
export function parseSqlType(text: string): SqlType {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const found = form.exec(text.trim());
  const precision = Number(found?.[2]);
  const type = {
    name: (found?.[1] ?? text).toLowerCase(),
    precision: Number.isInteger(precision) ? precision : undefined,
  };
  if (parsed.size < MOST_REMEMBERED && text.length <= LONGEST_REMEMBERED) parsed.set(text, type);
  return type;
}
