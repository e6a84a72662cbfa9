import { DataError } from '../errors/dataError.ts';
import type { Change, Image, KeyColumn } from '../model/change.ts';
import type { Operation } from '../model/operation.ts';
import { tableText } from '../model/table.ts';
import { type Version, versionOf } from '../model/version.ts';
import { convertValue } from './convertValue.ts';
import type { DocumentId } from './documentId.ts';
import type { JsonValue } from './jsonValue.ts';
import { keyIn } from './keyIn.ts';
import { keyNames } from './keyNames.ts';
import { isKept, RowLayout } from './rowLayout.ts';
import type { Cell, Newest, RowState } from './rowState.ts';
import { stampOf } from './stamp.ts';
import type { TableRules } from './tableRules.ts';

/** What one change says of one row. */
export interface RowChange {
  readonly id: DocumentId;
  readonly state: RowState;
}

export interface RowChanges {
  /** One; two when the change moved a row to another key. */
  readonly rows: readonly RowChange[];
  /** Values that are not of their column's type and were kept as text. */
  readonly unparsedValues: number;
  /** Columns that stay unknown under a new key, because the event carries them in neither image. */
  readonly unknownColumns: number;
}

/**
 * Says what a change means for the rows it touches.
 * @throws DataError no-key, no-row, key-excluded or column-conflict.
 */
export function rowChanges(change: Change, rules: TableRules): RowChanges {
  const operation = effectiveOperation(change);
  const row = new RowReader(change, operation, rules);
  switch (operation) {
    case 'DEL':
      if (rules.deletes === 'ignore') return row.result([]);
      return row.result([row.deleteOf(keyOf(change, rules))]);
    case 'INS': {
      const current = requireRow(change);
      return row.result([row.imageOf(keyOf(change, rules), current)]);
    }
    case 'UPD':
      return updated(change, row, rules);
    default:
      return operation satisfies never;
  }
}

/** Some builds announce an update of changed columns as INS; only an update has old values. */
function effectiveOperation(change: Change): Operation {
  return change.operation === 'INS' && change.old !== null ? 'UPD' : change.operation;
}

function updated(change: Change, row: RowReader, rules: TableRules): RowChanges {
  const current = requireRow(change);
  const key = keyOf(change, rules);
  const newKey = rules.key === undefined ? keyIn(current, key) : key;
  const oldKey = change.old === null ? null : keyIn(change.old, key);
  const set = rules.updates === 'replace' ? row.imageOf : row.updateOf;
  if (newKey === null || oldKey === null || sameKey(newKey, oldKey)) return row.result([set(key, current)]);
  // The source takes both keys for equal, so it is one row, and its key is now written as in the new image.
  if (row.idOf(newKey) === row.idOf(oldKey)) return row.result([set(newKey, current)]);
  const whole = { ...change.old, ...current };
  // A row begins under this key: nothing older there is its own, even where the delete of an earlier one kept it.
  return row.result([row.deleteOf(oldKey), row.imageOf(newKey, whole)], row.columnsMissingIn(whole));
}

function requireRow(change: Change): Image {
  if (change.current !== null) return change.current;
  throw new DataError(
    'no-row',
    `${change.operation} of ${tableText(change.table)} carries no current values`,
  );
}

/**
 * The key of the row after the change; of a delete, before it.
 * @throws DataError no-key.
 */
export function keyOf(change: Change, rules: Pick<TableRules, 'key'>): readonly KeyColumn[] {
  const names = keyNames(rules, change.columns);
  if (names !== undefined) return names.map((column) => ({ column, value: configuredValue(column, change) }));
  if (change.key.length > 0) return change.key;
  if (change.position.streamGroup === undefined)
    throw new DataError(
      'no-key',
      `Debezium does not tell the key of ${tableText(change.table)}, and REPLICA_CONFIG names none for it`,
    );
  throw new DataError(
    'no-key',
    `pkkey is empty: ${tableText(change.table)} has no primary key, and REPLICA_CONFIG names no key for it`,
  );
}

/** A column that the new image lacks is unchanged; the old one, or the primary key, may still tell its value. */
function configuredValue(column: string, { table, current, old, key }: Change): string {
  const image = [current, old].find((one) => one !== null && Object.hasOwn(one, column));
  const value = image?.[column] ?? (image === undefined ? keyText(column, key) : undefined);
  if (value !== undefined) return value;
  const what =
    image === undefined
      ? 'is not in the message: check its name, and that the table is streamed with @include_all_columns = 1'
      : 'is NULL';
  throw new DataError(
    'no-key',
    `${JSON.stringify(column)}, which REPLICA_CONFIG names in the key of ${tableText(table)}, ${what}`,
  );
}

function keyText(column: string, key: readonly KeyColumn[]): string | undefined {
  return key.find((one) => one.column === column)?.value;
}

function sameKey(a: readonly KeyColumn[], b: readonly KeyColumn[]): boolean {
  return a.every((column, index) => column.value === b[index]?.value);
}

/** Turns the images of one change into row states, and counts what did not convert. */
class RowReader {
  readonly #change: Change;
  readonly #operation: Operation;
  readonly #version: Version;
  readonly #rules: TableRules;
  readonly #layout: RowLayout;
  #unparsedValues = 0;

  constructor(change: Change, operation: Operation, rules: TableRules) {
    this.#change = change;
    this.#operation = operation;
    this.#version = versionOf(rules.epoch, change.position.lsn, change.position.sequence);
    this.#rules = rules;
    this.#layout = RowLayout.of(rules, change.columns);
  }

  result(rows: readonly (RowChange | undefined)[], unknownColumns = 0): RowChanges {
    return {
      rows: rows.filter((row) => row !== undefined),
      unparsedValues: this.#unparsedValues,
      unknownColumns,
    };
  }

  idOf(key: readonly KeyColumn[]): DocumentId {
    return this.#layout.idOf(key);
  }

  columnsMissingIn(image: Image): number {
    const missing = this.#change.columns.filter(({ name }) => !Object.hasOwn(image, name));
    return missing.filter(({ name }) => this.#layout.column(name).presence === 'kept').length;
  }

  /** Undefined when deletes of the table do nothing. */
  readonly deleteOf = (key: readonly KeyColumn[]): RowChange | undefined => {
    switch (this.#rules.deletes) {
      case 'tombstone':
        return this.#row(key, 'DEL', { image: stampOf(this.#version, true), cells: new Map() });
      case 'soft':
        // Not an image: what is known of the row stays, with what the delete itself tells of it.
        return this.#row(key, 'DEL', { image: null, cells: this.#cells(key, this.#change.old ?? {}, true) });
      case 'ignore':
        return undefined;
      default:
        return this.#rules.deletes satisfies never;
    }
  };

  readonly imageOf = (key: readonly KeyColumn[], image: Image): RowChange => {
    const stamp = stampOf(this.#version, false);
    return this.#row(key, this.#operation, { image: stamp, cells: this.#cells(key, image) });
  };

  readonly updateOf = (key: readonly KeyColumn[], image: Image): RowChange =>
    this.#row(key, this.#operation, { image: null, cells: this.#cells(key, image) });

  #row(key: readonly KeyColumn[], operation: Operation, known: Pick<RowState, 'image' | 'cells'>): RowChange {
    for (const { column } of key) this.#layout.requireInKey(column);
    const { time, position } = this.#change;
    const stamp = stampOf(this.#version, operation === 'DEL');
    const newest: Newest = { stamp, operation, time, key: this.#keyValues(key) };
    const { totalOrder } = position;
    const numbered = totalOrder === undefined ? newest : { ...newest, totalOrder };
    return { id: this.idOf(key), state: { ...known, newest: numbered } };
  }

  #cells(key: readonly KeyColumn[], image: Image, isDelete = false): Map<string, Cell> {
    const stamp = stampOf(this.#version, isDelete);
    const cells = new Map<string, Cell>();
    for (const [name, sent] of Object.entries(image)) {
      const column = this.#layout.column(name);
      if (!isKept(column, name, key)) continue;
      // Columns that the message does not declare, or that are only kept as part of the key.
      if (cells.has(column.name)) throw this.#layout.conflictAmong(Object.keys(image), column.name, key);
      const { value, parsed } = convertValue(sent, column.convert);
      if (!parsed) this.#unparsedValues += 1;
      cells.set(column.name, { stamp, value });
    }
    return cells;
  }

  #keyValues(key: readonly KeyColumn[]): Readonly<Record<string, JsonValue>> {
    const values = new Map<string, JsonValue>();
    for (const { column, value } of key) {
      const { name, convert } = this.#layout.column(column);
      if (values.has(name)) {
        const columns = key.map((one) => one.column);
        throw this.#layout.conflictAmong(columns, name, key);
      }
      values.set(name, convertValue(value, convert).value);
    }
    return Object.fromEntries(values);
  }
}
