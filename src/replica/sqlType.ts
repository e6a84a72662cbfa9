/** A declared SQL type as CES writes it, such as `decimal(18,2)`, taken apart. */
export interface SqlType {
  /** Lower case, without arguments. */
  readonly name: string;
  /** First argument: the precision of a decimal; undefined when not written. */
  readonly precision: number | undefined;
}

const form = /^\s*([a-z_][a-z0-9_ ]*?)\s*(?:\(\s*(\d+|max)\s*(?:,\s*\d+\s*)?\))?\s*$/i;
const parsed = new Map<string, SqlType>();
/** Distinct declared types remembered; tables have few. */
const MOST_REMEMBERED = 10_000;

/** Text in any other form is a type of its own, of which nothing is known. */
export function parseSqlType(text: string): SqlType {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const found = form.exec(text);
  const precision = Number(found?.[2]);
  const type = {
    name: (found?.[1] ?? text).toLowerCase(),
    precision: Number.isInteger(precision) ? precision : undefined,
  };
  if (parsed.size < MOST_REMEMBERED) parsed.set(text, type);
  return type;
}
