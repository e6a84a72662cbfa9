import { DataError } from '../errors/dataError.ts';
import type { Column, KeyColumn, SqlValue } from '../model/change.ts';
import { tableText } from '../model/table.ts';
import { type Converted, type Converter, converterFor, convertValue } from './convertValue.ts';
import { type DocumentId, documentId } from './documentId.ts';
import { parseSqlType } from './sqlType.ts';
import type { ColumnRule, TableRules } from './tableRules.ts';

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
    const ofTable = layouts.get(rules) ?? new WeakMap<readonly Column[], RowLayout>();
    layouts.set(rules, ofTable);
    const known = ofTable.get(columns);
    if (known !== undefined) return known;
    const layout = new RowLayout(rules, columns);
    ofTable.set(columns, layout);
    return layout;
  }

  private constructor(rules: TableRules, columns: readonly Column[]) {
    this.#rules = rules;
    for (const { name, type } of columns) {
      const layout = this.#add(name, type);
      if (layout.rule.presence === 'kept') this.#kept.set(layout.rule.name, name);
    }
  }

  rule(column: string): ColumnRule {
    return this.#of(column).rule;
  }

  /** Whether the column has a place in the row. @param key of the row: it is never left out by not being listed. */
  keeps(column: string, key: readonly KeyColumn[]): boolean {
    const { presence } = this.rule(column);
    return presence === 'kept' || (presence === 'unlisted' && key.some((one) => one.column === column));
  }

  /**
   * What a change needs of the columns of its key: every one has a place in the row.
   * @throws DataError key-excluded or column-conflict.
   */
  requireInKey(column: string): void {
    const { presence } = this.rule(column);
    if (presence === 'excluded')
      throw new DataError(
        'key-excluded',
        `REPLICA_CONFIG excludes ${JSON.stringify(column)}, part of the key of ${tableText(this.#rules.table)}`,
      );
    if (presence === 'unlisted') this.#requireFree(column, this.rule(column).name);
  }

  /** The id of a row. @param key its values as sent, in key order. */
  idOf(key: readonly KeyColumn[]): DocumentId {
    const texts = key.map(({ column, value }) => this.rule(column).idText(value));
    return documentId(this.#rules.table, texts);
  }

  /** What a value becomes. */
  convert(column: string, sent: SqlValue): Converted {
    const { rule, convert } = this.#of(column);
    return convertValue(sent, rule.mask ?? convert);
  }

  /** Of a column that the message does not declare nothing is known but its name. */
  #of(column: string): ColumnLayout {
    return this.#columns.get(column) ?? this.#add(column, undefined);
  }

  #add(column: string, type: string | undefined): ColumnLayout {
    const layout = columnLayout(this.#rules, column, type);
    if (layout.rule.presence === 'kept') this.#requireFree(column, layout.rule.name);
    this.#columns.set(column, layout);
    return layout;
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

interface ColumnLayout {
  readonly rule: ColumnRule;
  readonly convert: Converter;
}

const layouts = new WeakMap<TableRules, WeakMap<readonly Column[], RowLayout>>();

function columnLayout(rules: TableRules, column: string, declared: string | undefined): ColumnLayout {
  const type = parseSqlType(declared ?? '');
  const rule = rules.columnRule(column, type.name);
  return { rule, convert: converterFor(type, rule.json) };
}
