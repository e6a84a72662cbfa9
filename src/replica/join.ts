import { isReference, type RowValue } from './largeValue.ts';
import type { Cell, Newest, RowState } from './rowState.ts';

/**
 * Joins what two sides know of a row. Commutative, associative and idempotent.
 * An image replaces everything older and nothing newer; a column takes its newest value.
 * Gives `a` itself when `b` adds nothing, so that `join(a, b) === a` means "nothing to write".
 */
export function join(a: RowState, b: RowState): RowState {
  if (covers(a, b)) return a;
  const image = a.image === null || (b.image !== null && b.image > a.image) ? b.image : a.image;
  const cells = new Map<string, Cell>();
  for (const side of [a.cells, b.cells]) {
    for (const [column, cell] of side) {
      const other = cells.get(column);
      const survives = image === null || cell.stamp >= image;
      if (survives && (other === undefined || isNewerCell(cell, other))) cells.set(column, cell);
    }
  }
  return { image, cells, newest: joinNewest(a.newest, b.newest) };
}

function covers(a: RowState, b: RowState): boolean {
  if (b.image !== null && (a.image === null || b.image > a.image)) return false;
  if (joinNewest(a.newest, b.newest) !== a.newest) return false;
  for (const [column, cell] of b.cells) {
    if (a.image !== null && cell.stamp < a.image) continue;
    const known = a.cells.get(column);
    if (known === undefined || isNewerCell(cell, known)) return false;
  }
  return true;
}

function isNewerCell(a: Cell, b: Cell): boolean {
  return a.stamp === b.stamp ? isGreaterValue(a.value, b.value) : a.stamp > b.stamp;
}

/** What is stored as a reference stays one when a replay brings its text. */
function isGreaterValue(a: RowValue, b: RowValue): boolean {
  return isReference(a) === isReference(b) ? isGreater(a, b) : isReference(a);
}

/**
 * The newer change; `a` itself when `b` adds nothing. A copy of a change does not tell the place that was found for it
 * when its transaction had ended, and must not take it away. As more changes of a transaction become known a place only
 * moves up.
 */
function joinNewest(a: Newest, b: Newest): Newest {
  if (a === b || a.stamp > b.stamp) return a;
  if (a.stamp < b.stamp) return b;
  const [
    { dataCollectionOrder: placeA = NO_PLACE, ...saidA },
    { dataCollectionOrder: placeB = NO_PLACE, ...saidB },
  ] = [a, b];
  const said = isGreater(saidB, saidA) ? saidB : saidA;
  if (said === saidA && placeA >= placeB) return a;
  const place = Math.max(placeA, placeB);
  return place === NO_PLACE ? said : { ...said, dataCollectionOrder: place };
}

/** Below every place. */
const NO_PLACE = -1;

/** One version has one content, so this never decides; if it ever must, both sides decide alike. */
function isGreater(a: unknown, b: unknown): boolean {
  return a !== b && JSON.stringify(a) > JSON.stringify(b);
}
