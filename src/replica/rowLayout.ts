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
    for (const { name, type } of columns) this.#columns.set(name, columnLayout(rules, name, type));
    const names = [...this.#columns.values()].filter(({ rule }) => rule.presence !== 'excluded');
    const twice = names.find(
      ({ rule }, index) => names.findIndex((other) => other.rule.name === rule.name) !== index,
    );
    if (twice !== undefined)
      throw new DataError(
        'column-conflict',
        `two columns of ${tableText(rules.table)} would be called ${JSON.stringify(twice.rule.name)}`,
      );
  }

  rule(column: string): ColumnRule {
    return this.#of(column).rule;
  }

  /** Whether the column has a place in the row. @param key of the row: it is never left out by not being listed. */
  keeps(column: string, key: readonly KeyColumn[]): boolean {
    const { presence } = this.rule(column);
    return presence === 'kept' || (presence === 'unlisted' && key.some((one) => one.column === column));
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
    const known = this.#columns.get(column) ?? columnLayout(this.#rules, column, undefined);
    this.#columns.set(column, known);
    return known;
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
