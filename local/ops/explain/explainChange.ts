import { DataError } from '../../../src/errors/dataError.ts';
import type { Change } from '../../../src/model/change.ts';
import { toReplicaItem } from '../../../src/replica/replicaItem.ts';
import { type RowChanges, rowChanges } from '../../../src/replica/rowChanges.ts';
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
  const columns = explainColumns(change, rules);
  const names = new Set(columns.map(({ name }) => name));
  const missing = settings.rules.choicesFor(change.table).columns.filter((name) => !names.has(name));
  return {
    ...explainTable(change, settings.rules),
    columns,
    ...(missing.length > 0 && { missingColumns: missing }),
    outcome: outcomeOf(change, rules, settings.tombstoneSeconds, deadLetter),
  };
}

function outcomeOf(
  change: Change,
  rules: TableRules,
  tombstoneSeconds: number,
  deadLetter: (error: DataError) => Outcome,
): Outcome {
  if (!rules.included) return { kind: 'excluded', reason: 'the configuration leaves the table out' };
  try {
    const changes = rowChanges(change, rules);
    if (changes.rows.length === 0) return { kind: 'excluded', reason: 'deletes of the table do nothing' };
    const items = changes.rows.map(({ id, state }) =>
      toReplicaItem(id, rules.table, state, tombstoneSeconds),
    );
    const bytes = Math.max(...items.map((item) => Buffer.byteLength(JSON.stringify(item))));
    if (bytes <= rules.itemBytes) return { kind: 'written', items, notes: notesOf(change, changes) };
    const problem = `the replica item has ${bytes} bytes of JSON, at most ${rules.itemBytes} fit`;
    if (rules.largeValues === 'dead-letter') return deadLetter(new DataError('item-too-large', problem));
    const note = `${problem}: its largest values go to Blob storage`;
    return { kind: 'written', items, notes: [...notesOf(change, changes), note] };
  } catch (error) {
    if (error instanceof DataError) return deadLetter(error);
    throw error;
  }
}

function notesOf(
  { operation, old }: Change,
  { unparsedValues, unknownColumns, rows }: RowChanges,
): readonly string[] {
  return [
    ...(operation === 'INS' && old !== null
      ? ['it has old values, so it is an update, although it is announced as an insert']
      : []),
    ...(rows.length > 1 ? ['the change moves the row to another key'] : []),
    ...(unparsedValues > 0 ? [`${unparsedValues} values are not of their type and stay text`] : []),
    ...(unknownColumns > 0 ? [`${unknownColumns} columns stay unknown under the new key`] : []),
  ];
}
