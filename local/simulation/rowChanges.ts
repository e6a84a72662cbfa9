import type { SimulationOptions } from './options.ts';
import type { Random } from './random.ts';
import type { Row, TableState } from './tableState.ts';

export type Operation = 'INS' | 'UPD' | 'DEL';

/** One change of one row: one event. */
export interface RowChange {
  readonly operation: Operation;
  readonly old: Row | null;
  readonly current: Row | null;
  /** Positions of the columns an update sets. */
  readonly set: ReadonlySet<number>;
}

/** What a statement does to a row. */
export type Action = 'insert' | 'update' | 'delete' | 'changeKey' | 'deleteAndInsert';

/** Out of 100; what is left are inserts. */
const UPDATES = 42;
const DELETES = 14;
const KEY_CHANGES = 5;
const REPLACEMENTS = 4;
/** How likely an update sets a column. */
const SET_SHARE = 0.35;
const NOTHING_SET: ReadonlySet<number> = new Set();

/** Chooses what to do next in a table, making at most `room` changes. */
export function chooseAction(state: TableState, room: number, random: Random): Action {
  let roll = random.integer(0, 99);
  if (state.live.size === 0) return 'insert';
  if (roll < UPDATES) return 'update';
  roll -= UPDATES;
  if (roll < DELETES) return 'delete';
  roll -= DELETES;
  if (room >= 2 && roll < KEY_CHANGES) return 'changeKey';
  roll -= KEY_CHANGES;
  if (room >= 2 && roll >= 0 && roll < REPLACEMENTS) return 'deleteAndInsert';
  return 'insert';
}

/** Does it, and returns the changes in their order: two where a row is told as a delete and an insert. */
export function perform(
  action: Action,
  state: TableState,
  row: Row | undefined,
  options: SimulationOptions,
  random: Random,
): RowChange[] {
  const old = row ?? (action === 'insert' ? undefined : state.live.pick(random));
  if (action === 'insert' || old === undefined) return [insert(state, state.newRow(random))];
  switch (action) {
    case 'update':
      return [update(state, old, random)];
    case 'delete':
      return [remove(state, old)];
    case 'deleteAndInsert': {
      const fresh = state.rekeyed(state.newRow(random), old);
      return [remove(state, old), insert(state, fresh)];
    }
    case 'changeKey':
      return changeKey(state, old, options, random);
    default:
      return action satisfies never;
  }
}

function insert(state: TableState, row: Row): RowChange {
  state.put(row);
  return { operation: 'INS', old: null, current: row, set: NOTHING_SET };
}

function remove(state: TableState, row: Row): RowChange {
  state.remove(row);
  return { operation: 'DEL', old: row, current: null, set: NOTHING_SET };
}

function update(state: TableState, old: Row, random: Random): RowChange {
  const settable = state.table.columns.flatMap((column, index) => (column.key ? [] : [index]));
  const set = new Set(settable.filter(() => random.chance(SET_SHARE)));
  if (set.size === 0) set.add(random.pick(settable));
  const current = state.changed(old, set, random);
  state.put(current);
  return { operation: 'UPD', old, current, set };
}

/** The new key is never alive, so no two rows ever swap keys. */
function changeKey(state: TableState, old: Row, options: SimulationOptions, random: Random): RowChange[] {
  const current = state.rekeyed(old, state.newRow(random));
  const removed = remove(state, old);
  const inserted = insert(state, current);
  switch (options.keyChanges) {
    case 'delete-insert':
      return [removed, inserted];
    case 'update':
      return [{ operation: 'UPD', old, current, set: NOTHING_SET }];
    default:
      return options.keyChanges satisfies never;
  }
}
