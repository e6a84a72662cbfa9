import type { Table } from '../model/table.ts';

/** In brackets, or without dots and brackets. */
const PART = String.raw`(\[(?:[^\]]|\]\])+\]|[^.[\]]+)`;

/**
 * A name or pattern of tables in REPLICA_CONFIG: `database.schema.table`, where `*` stands for any text. A part in
 * brackets is taken as it stands, as T-SQL quotes names: `Plant.dbo.[Odd.Names]`, with `]]` for a bracket.
 * Case counts, as in the names that CES sends.
 */
export class TablePattern {
  /** Three parts with dots between. */
  static readonly form = new RegExp(String.raw`^${PART}\.${PART}\.${PART}$`);
  /** Without `*`: the name of one table. */
  readonly exact: boolean;
  readonly #parts: readonly RegExp[];

  private constructor(parts: readonly Part[]) {
    this.exact = parts.every((part) => part.quoted || !part.text.includes('*'));
    this.#parts = parts.map(toRegExp);
  }

  /** Undefined when the text is not three parts. */
  static parse(text: string): TablePattern | undefined {
    const found = TablePattern.form.exec(text);
    if (found === null) return undefined;
    return new TablePattern(found.slice(1).map((part) => toPart(part ?? '')));
  }

  matches({ db, schema, name }: Table): boolean {
    return [db, schema, name].every((part, index) => this.#parts[index]?.test(part) === true);
  }
}

interface Part {
  readonly text: string;
  readonly quoted: boolean;
}

function toPart(text: string): Part {
  return text.startsWith('[')
    ? { text: text.slice(1, -1).replaceAll(']]', ']'), quoted: true }
    : { text, quoted: false };
}

function toRegExp({ text, quoted }: Part): RegExp {
  const pieces = quoted ? [text] : text.split('*');
  return new RegExp(`^${pieces.map(literally).join('[^]*')}$`);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
