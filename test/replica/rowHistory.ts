import fc from 'fast-check';
import type { Operation } from '../../src/model/operation.ts';
import { join } from '../../src/replica/join.ts';
import type { RowValue } from '../../src/replica/largeValue.ts';
import type { RowState } from '../../src/replica/rowState.ts';
import { stampOf } from '../../src/replica/stamp.ts';
import { versionNumber } from './changeOf.ts';

/** What one change does to a row, and when. */
export interface Step {
  /** Place in the log. */
  readonly n: number;
  readonly operation: Operation;
  /** What an insert or update sets, and a soft delete tells of the row as it was; empty for another delete. */
  readonly columns: ReadonlyMap<string, RowValue>;
  /** An update that counts as the whole row. */
  readonly whole: boolean;
  /** A delete that keeps the row. */
  readonly soft?: boolean;
  /** Its place among the changes of its table, where it is told. */
  readonly place?: number | undefined;
}

/** Odd names among the plain ones: none may be taken for a property of ours or of an object. */
const columnNames = ['a', 'b', 'id', 'ttl', '__proto__', 'constructor', '1'];
/** Places in the log, few, so that they meet often. */
const HIGHEST_PLACE = 6;

/** Stand for texts; two of one version cannot differ, but join must not depend on it. */
const references: readonly RowValue[] = ['a', 'b'].map((digit) => ({
  $blob: `rows/00/${digit}`,
  bytes: 5,
  sha256: digit.repeat(64),
}));

const rowValue: fc.Arbitrary<RowValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string({ maxLength: 3 }),
  fc.constantFrom(...references),
);

const columns = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...columnNames), rowValue), {
    minLength: 1,
    maxLength: columnNames.length,
    selector: ([name]) => name,
  })
  .map((entries) => new Map(entries));

/** One change; its content is not tied to its place, so two of one place can contradict each other. */
export const anyStep: fc.Arbitrary<Step> = fc
  .record({
    n: fc.integer({ min: 1, max: HIGHEST_PLACE }),
    operation: fc.constantFrom<Operation>('INS', 'UPD', 'UPD', 'DEL'),
    columns,
    whole: fc.boolean(),
    // Both kinds, since the choice can change in mid-stream.
    soft: fc.boolean(),
    old: fc.oneof(columns, fc.constant(new Map<string, RowValue>())),
    // Copies of a change do not all tell it, and not the same.
    place: fc.option(fc.nat(3), { nil: undefined }),
  })
  .map(({ soft, old, ...step }) =>
    step.operation === 'DEL' ? { ...step, columns: soft ? old : new Map(), whole: false, soft } : step,
  );

/**
 * The changes of one row as a source makes them: one change a place, or a delete and a write of the same place,
 * which is how a row looks that is deleted and written anew at once.
 */
export const history: fc.Arbitrary<readonly Step[]> = fc.uniqueArray(anyStep, {
  minLength: 1,
  maxLength: 2 * HIGHEST_PLACE,
  selector: ({ n, operation }) => `${n} ${operation === 'DEL'}`,
});

/** Any state that changes can lead to. */
export const reachableState: fc.Arbitrary<RowState> = fc
  .array(anyStep, { minLength: 1, maxLength: 6 })
  .map((steps) => steps.map(stateOf).reduce(join));

export function stateOf({ n, operation, columns, whole, soft = false, place }: Step): RowState {
  const stamp = stampOf(versionNumber(n), operation === 'DEL');
  const isImage = (operation !== 'UPD' || whole) && !soft;
  return {
    image: isImage ? stamp : null,
    cells: new Map([...columns].map(([column, value]) => [column, { stamp, value }])),
    newest: {
      stamp,
      operation,
      time: `2026-01-01T00:00:00.${String(n).padStart(3, '0')}Z`,
      key: { id: 7 },
      ...(place !== undefined && { dataCollectionOrder: place }),
    },
  };
}

/** What the source row looks like in the end. */
export interface SourceRow {
  /** Null when it is deleted and not kept, or nothing is known that could be kept. */
  readonly columns: ReadonlyMap<string, RowValue> | null;
  readonly deleted: boolean;
  /** Place of the newest image; null when there is none. */
  readonly image: number | null;
  readonly newest: number;
}

/** The independent model: does the changes one after the other in the order of the log, a delete first. */
export function replay(steps: readonly Step[]): SourceRow {
  const order = [...steps].sort((a, b) => a.n - b.n || rank(a) - rank(b));
  let row: Map<string, RowValue> | null = null;
  let image: number | null = null;
  for (const { n, operation, columns, whole, soft = false } of order) {
    if (operation === 'DEL' && !soft) row = null;
    else if (operation === 'INS' || whole) row = new Map(columns);
    else if (row !== null || columns.size > 0) row = new Map([...(row ?? []), ...columns]);
    if ((operation !== 'UPD' || whole) && !soft) image = n;
  }
  const last = order.at(-1);
  return { columns: row, deleted: last?.operation === 'DEL', image, newest: last?.n ?? 0 };
}

function rank({ operation }: Step): number {
  return operation === 'DEL' ? 0 : 1;
}

/** Joins the list down to one, two neighbours at a time, where `picks` says. */
export function groupedJoin(states: readonly RowState[], picks: readonly number[]): RowState {
  const left = [...states];
  for (let round = 0; left.length > 1; round += 1) {
    const at = (picks[round % Math.max(picks.length, 1)] ?? 0) % (left.length - 1);
    const [a, b] = left.slice(at, at + 2);
    if (a === undefined || b === undefined) break;
    left.splice(at, 2, join(a, b));
  }
  const [only] = left;
  if (only === undefined) throw new RangeError('nothing to join');
  return only;
}
