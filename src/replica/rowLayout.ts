import { DataError } from '../errors/dataError.ts';
import type { Column, KeyColumn } from '../model/change.ts';
import { tableText } from '../model/table.ts';
import { type Converter, converterFor } from './convertValue.ts';
import { type DocumentId, documentId } from './documentId.ts';
import { parseSqlType } from './sqlType.ts';
import type { ColumnRule, TableRules, TextMap } from './tableRules.ts';

/** What the columns of a table become, as far as a list of declared columns tells. */
export class RowLayout {
  readonly #rules: TableRules;
  readonly #columns = new Map<string, ColumnLayout>();
  /** The declared columns that have a place in the row, by their names in the replica. */
  readonly #kept = new Map<string, string>();

  /**
   * Changes of a table mostly share one list of columns, and so its layout.
   * @throws DataError column-conflict when two columns would have one name.
   */
  static of(rules: TableRules, columns: readonly Column[]): RowLayout {
    const known = layouts.get(columns);
    if (known !== undefined && known.#rules === rules) return known;
    const layout = new RowLayout(rules, columns);
    layouts.set(columns, layout);
    return layout;
  }

  private constructor(rules: TableRules, columns: readonly Column[]) {
    this.#rules = rules;
    for (const { name, type } of columns) {
      const column = this.#newColumn(name, type);
      this.#columns.set(name, column);
      if (column.presence === 'kept') this.#kept.set(column.name, name);
    }
  }

  /**
   * Of a column that the message does not declare nothing is known but its name; it is not remembered either, since
   * any number of names may be sent.
   * @throws DataError column-conflict when another column has its name.
   */
  column(name: string): ColumnLayout {
    return this.#columns.get(name) ?? this.#newColumn(name, undefined);
  }

  /** Whether the column has a place in the row. @param key of the row: it is never left out by not being listed. */
  keeps(name: string, key: readonly KeyColumn[]): boolean {
    return isKept(this.column(name), name, key);
  }

  /**
   * What a change needs of the columns of its key: every one has a place in the row.
   * @throws DataError key-excluded or column-conflict.
   */
  requireInKey(column: string): void {
    const { name, presence } = this.column(column);
    if (presence === 'excluded')
      throw new DataError(
        'key-excluded',
        `REPLICA_CONFIG excludes ${JSON.stringify(column)}, part of the key of ${tableText(this.#rules.table)}`,
      );
    if (presence === 'unlisted') this.#requireFree(column, name);
  }

  /** The id of a row. @param key its values as sent, in key order. */
  idOf(key: readonly KeyColumn[]): DocumentId {
    const texts = key.map(({ column, value }) => this.column(column).idText(value));
    return documentId(this.#rules.table, texts);
  }

  #newColumn(column: string, declared: string | undefined): ColumnLayout {
    const type = parseSqlType(declared ?? '');
    const { name, presence, json, mask, idText } = this.#rules.columnRule(column, type.name);
    if (presence === 'kept') this.#requireFree(column, name);
    return { name, presence, idText, convert: mask ?? converterFor(type, json) };
  }

  #requireFree(column: string, name: string): void {
    const other = this.#kept.get(name) ?? column;
    if (other === column) return;
    throw new DataError(
      'column-conflict',
      `${JSON.stringify(other)} and ${JSON.stringify(column)} of ${tableText(this.#rules.table)} would both be called ${JSON.stringify(name)}`,
    );
  }
}

/** What is decided about a column whose SQL type is known. */
export interface ColumnLayout extends Pick<ColumnRule, 'name' | 'presence'> {
  /** What a value becomes. */
  readonly convert: Converter;
  readonly idText: TextMap;
}

/** @param name of the column in the source. */
export function isKept({ presence }: ColumnLayout, name: string, key: readonly KeyColumn[]): boolean {
  return presence === 'kept' || (presence === 'unlisted' && key.some(({ column }) => column === name));
}

const layouts = new WeakMap<readonly Column[], RowLayout>();
