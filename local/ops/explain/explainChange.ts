import { DataError } from '../../../src/errors/dataError.ts';
import type { Change, KeyColumn } from '../../../src/model/change.ts';
import { foldName } from '../../../src/model/name.ts';
import { type FittingItem, fittingItem } from '../../../src/replica/fittingItem.ts';
import { keyOf, type RowChanges, rowChanges } from '../../../src/replica/rowChanges.ts';
import type { TableRules } from '../../../src/replica/tableRules.ts';
import type { Choices } from '../../run/choices.ts';
import { explainColumns } from './explainColumns.ts';
import { explainTable } from './explainTable.ts';
import type { Explanation, Outcome } from './explanation.ts';

/** What a whole change means, and the items that it makes where nothing of its rows is stored yet. */
export function explainChange(
  change: Change,
  settings: Choices['settings'],
  deadLetter: (error: DataError) => Outcome,
): Omit<Explanation, 'messages' | 'event'> {
  const rules = settings.rules.of(change.table);
  const touched = touchedBy(change, rules);
  // Of a move the row under the new key.
  const row = touched instanceof DataError ? undefined : touched.rows.at(-1);
  const columns = explainColumns(change, rules, row?.state.cells);
  const names = new Set(columns.map(({ name }) => foldName(name)));
  const missing = settings.rules
    .choicesFor(change.table)
    .columns.filter((name) => !names.has(foldName(name)));
  return {
    ...explainTable(change, knownKey(change, rules), settings.rules),
    columns,
    ...(missing.length > 0 && { missingColumns: missing }),
    outcome: outcomeOf(change, rules, touched, settings.tombstoneSeconds, deadLetter),
  };
}

function knownKey(change: Change, rules: TableRules): readonly KeyColumn[] | undefined {
  try {
    return keyOf(change, rules);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

function touchedBy(change: Change, rules: TableRules): RowChanges | DataError {
  if (!rules.included) return { rows: [], unparsedValues: 0, unknownColumns: 0 };
  try {
    return rowChanges(change, rules);
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

function outcomeOf(
  change: Change,
  rules: TableRules,
  touched: RowChanges | DataError,
  tombstoneSeconds: number,
  deadLetter: (error: DataError) => Outcome,
): Outcome {
  if (!rules.included) return { kind: 'excluded', reason: 'the configuration leaves the table out' };
  if (touched instanceof DataError) return deadLetter(touched);
  if (touched.rows.length === 0) return { kind: 'excluded', reason: 'deletes of the table do nothing' };
  const written: FittingItem[] = [];
  for (const { id, state } of touched.rows) {
    const fitting = fittingItem(id, rules, state, tombstoneSeconds);
    if (fitting instanceof DataError) return deadLetter(fitting);
    written.push(fitting);
  }
  return {
    kind: 'written',
    items: written.map(({ item }) => item),
    notes: notesOf(change, touched, written),
  };
}

function notesOf(
  { operation, old }: Change,
  { unparsedValues, unknownColumns, rows }: RowChanges,
  written: readonly FittingItem[],
): readonly string[] {
  const large = written.flatMap(({ values }) => values).length;
  return [
    ...(operation === 'INS' && old !== null
      ? ['it has old values, so it is an update, although it is announced as an insert']
      : []),
    ...(rows.length > 1 ? ['the change moves the row to another key'] : []),
    ...(unparsedValues > 0 ? [`${unparsedValues} values are not exactly of their type and stay text`] : []),
    ...(unknownColumns > 0 ? [`${unknownColumns} columns stay unknown under the new key`] : []),
    ...(large > 0 ? [`the row does not fit into an item: ${large} of its values go to Blob storage`] : []),
  ];
}
