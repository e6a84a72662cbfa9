import { DataError } from '../errors/dataError.ts';
import type { Change, Column, Image, KeyColumn } from '../model/change.ts';
import type { Operation } from '../model/operation.ts';
import { type Table, tableText } from '../model/table.ts';
import { type Version, versionOf } from '../model/version.ts';
import { convertValue } from './convertValue.ts';
import { type DocumentId, documentId } from './documentId.ts';
import type { JsonValue } from './jsonValue.ts';
import type { Cell, RowState } from './rowState.ts';
import { stampOf } from './stamp.ts';

/** What one change says of one row. */
export interface RowChange {
  readonly id: DocumentId;
  readonly table: Table;
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

export interface RowChangeOptions {
  readonly epoch: number;
  /** merge: an update sets the columns it carries. replace: it is the whole row (`include_all_columns = 1`). */
  readonly updates: 'merge' | 'replace';
}

/**
 * Says what a change means for the rows it touches.
 * @throws DataError no-key or no-row.
 */
export function rowChanges(change: Change, options: RowChangeOptions): RowChanges {
  const operation = effectiveOperation(change);
  const row = new RowReader(change, operation, options.epoch);
  switch (operation) {
    case 'DEL':
      return row.result([row.deleteOf(keyOf(change))]);
    case 'INS':
      return row.result([row.imageOf(keyOf(change), requireRow(change))]);
    case 'UPD':
      return updated(change, row, options.updates);
    default:
      return operation satisfies never;
  }
}

/** Some builds announce an update of changed columns as INS; only an update has old values. */
function effectiveOperation(change: Change): Operation {
  return change.operation === 'INS' && change.old !== null ? 'UPD' : change.operation;
}

function updated(change: Change, row: RowReader, updates: RowChangeOptions['updates']): RowChanges {
  const current = requireRow(change);
  const key = keyOf(change);
  const newKey = keyIn(current, key);
  const oldKey = change.old === null ? null : keyIn(change.old, key);
  const set = updates === 'replace' ? row.imageOf : row.updateOf;
  if (newKey === null || oldKey === null || sameKey(newKey, oldKey)) return row.result([set(key, current)]);
  const whole = { ...change.old, ...current };
  const unknownColumns = change.columns.filter(({ name }) => !Object.hasOwn(whole, name)).length;
  return row.result([row.deleteOf(oldKey), set(newKey, whole)], unknownColumns);
}

function requireRow(change: Change): Image {
  if (change.current !== null) return change.current;
  throw new DataError(
    'no-row',
    `${change.operation} of ${tableText(change.table)} carries no current values`,
  );
}

function keyOf(change: Change): readonly KeyColumn[] {
  if (change.key.length > 0) return change.key;
  throw new DataError('no-key', `pkkey is empty: ${tableText(change.table)} has no primary key`);
}

/** The key as an image has it; null when the image lacks a key column. */
function keyIn(image: Image, key: readonly KeyColumn[]): readonly KeyColumn[] | null {
  const found: KeyColumn[] = [];
  for (const { column } of key) {
    const value = Object.hasOwn(image, column) ? image[column] : undefined;
    if (value === undefined || value === null) return null;
    found.push({ column, value });
  }
  return found;
}

function sameKey(a: readonly KeyColumn[], b: readonly KeyColumn[]): boolean {
  return a.every((column, index) => column.value === b[index]?.value);
}

/** Turns the images of one change into row states, and counts what did not convert. */
class RowReader {
  readonly #change: Change;
  readonly #operation: Operation;
  readonly #version: Version;
  readonly #types: ReadonlyMap<string, string>;
  #unparsedValues = 0;

  constructor(change: Change, operation: Operation, epoch: number) {
    this.#change = change;
    this.#operation = operation;
    this.#version = versionOf(epoch, change.logicalId.lsn, change.logicalId.sequence);
    this.#types = typesOf(change.columns);
  }

  result(rows: readonly RowChange[], unknownColumns = 0): RowChanges {
    return { rows, unparsedValues: this.#unparsedValues, unknownColumns };
  }

  readonly deleteOf = (key: readonly KeyColumn[]): RowChange => {
    const stamp = stampOf(this.#version, true);
    return this.#row(key, 'DEL', { image: stamp, cells: new Map() });
  };

  readonly imageOf = (key: readonly KeyColumn[], image: Image): RowChange => {
    const stamp = stampOf(this.#version, false);
    return this.#row(key, this.#operation, { image: stamp, cells: this.#cells(image) });
  };

  readonly updateOf = (key: readonly KeyColumn[], image: Image): RowChange =>
    this.#row(key, this.#operation, { image: null, cells: this.#cells(image) });

  #row(key: readonly KeyColumn[], operation: Operation, known: Pick<RowState, 'image' | 'cells'>): RowChange {
    const { table, time } = this.#change;
    const id = documentId(
      table,
      key.map(({ value }) => value),
    );
    const stamp = stampOf(this.#version, operation === 'DEL');
    return { id, table, state: { ...known, newest: { stamp, operation, time, key: this.#keyValues(key) } } };
  }

  #cells(image: Image): Map<string, Cell> {
    const stamp = stampOf(this.#version, false);
    const cells = new Map<string, Cell>();
    for (const [name, sent] of Object.entries(image)) {
      const { value, parsed } = convertValue(sent, this.#types.get(name));
      if (!parsed) this.#unparsedValues += 1;
      cells.set(name, { stamp, value });
    }
    return cells;
  }

  #keyValues(key: readonly KeyColumn[]): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(
      key.map(({ column, value }) => [column, convertValue(value, this.#types.get(column)).value]),
    );
  }
}

/** Declared types by column. Changes of a table mostly share one list of columns. */
function typesOf(columns: readonly Column[]): ReadonlyMap<string, string> {
  const known = knownTypes.get(columns);
  if (known !== undefined) return known;
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  knownTypes.set(columns, types);
  return types;
}

const knownTypes = new WeakMap<readonly Column[], ReadonlyMap<string, string>>();
