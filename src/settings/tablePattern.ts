import { foldName } from '../model/name.ts';
import type { Table } from '../model/table.ts';

/** In brackets, or without dots and brackets. */
const PART = String.raw`(\[(?:[^\]]|\]\])+\]|[^.[\]]+)`;

/**
 * A name or pattern of tables in REPLICA_CONFIG: `database.schema.table`, where `*` stands for any text. A part in
 * brackets is taken as it stands, as T-SQL quotes names: `Plant.dbo.[Odd.Names]`, with `]]` for a bracket.
 * Case does not count, as for SQL Server with its usual collations.
 */
export class TablePattern {
  /** Three parts with dots between. */
  static readonly form = new RegExp(String.raw`^${PART}\.${PART}\.${PART}$`);
  /** Without `*`: the name of one table. */
  readonly exact: boolean;
  readonly #parts: readonly Pieces[];
  readonly #folded: readonly Pieces[];

  private constructor(parts: readonly Pieces[]) {
    this.exact = parts.every((pieces) => pieces.length === 1);
    this.#parts = parts;
    this.#folded = parts.map((pieces) => pieces.map(foldName));
  }

  /** Undefined when the text is not three parts. */
  static parse(text: string): TablePattern | undefined {
    const found = TablePattern.form.exec(text);
    if (found === null) return undefined;
    return new TablePattern(found.slice(1).map((part) => toPieces(part ?? '')));
  }

  matches({ db, schema, name }: Table): boolean {
    return [db, schema, name].every((text, index) => isMatch(foldName(text), this.#folded[index] ?? []));
  }

  /** Whether this is the name of the very table, as it is written there: another may differ in case only. */
  names({ db, schema, name }: Table): boolean {
    return this.exact && [db, schema, name].every((text, index) => text === this.#parts[index]?.[0]);
  }
}

/** The texts before, between and after the asterisks of a part. */
type Pieces = readonly string[];

function toPieces(text: string): Pieces {
  return text.startsWith('[') ? [text.slice(1, -1).replaceAll(']]', ']')] : text.split('*');
}

/** The first place where a piece stands is as good as any other: no need to try others, as a RegExp would. */
function isMatch(text: string, pieces: Pieces): boolean {
  const [first = '', ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of others) {
    const place = text.indexOf(piece, from);
    if (place === -1) return false;
    from = place + piece.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
