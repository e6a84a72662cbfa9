import { DataError } from '../errors/dataError.ts';
import { type Table, tableText } from '../model/table.ts';
import type { DocumentId } from '../replica/documentId.ts';
import { type RowChanges, rowChanges } from '../replica/rowChanges.ts';
import type { RowState } from '../replica/rowState.ts';
import type { Row } from '../replica/rowStep.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import type { Rejected, WholeEvent } from './received.ts';

export interface FoldedRows {
  readonly rows: readonly FoldedRow[];
  readonly rejected: readonly Rejected[];
  /** Left out by REPLICA_CONFIG. */
  readonly excluded: readonly WholeEvent[];
  readonly notes: Notes;
  /** The same by `database.schema.table`, where there is anything to note. */
  readonly notesByTable: ReadonlyMap<string, Notes>;
}

/** All that a batch says of one row. */
export interface FoldedRow extends Row {
  /** The event of each change. */
  readonly events: readonly WholeEvent[];
}

/** What is not wrong enough to put a message aside, but worth a count. */
export interface Notes {
  /** Values that are not of their column's type and were kept as text. */
  readonly unparsedValues: number;
  /** Columns that stay unknown under a new key. */
  readonly unknownColumns: number;
}

/** Step 3: brings the changes of each row together, so that a row is written once a batch. */
export function foldRows(events: readonly WholeEvent[], settings: ReplicaSettings): FoldedRows {
  const rows = new Map<
    DocumentId,
    FoldedRow & { readonly changes: RowState[]; readonly events: WholeEvent[] }
  >();
  const rejected: Rejected[] = [];
  const excluded: WholeEvent[] = [];
  const notes = { unparsedValues: 0, unknownColumns: 0 };
  const notesByTable = new Map<string, Notes>();
  for (const event of events) {
    try {
      const { change } = event;
      const rules = settings.rules.of(change.table);
      const touched = rules.included ? rowChanges(change, rules) : nothing;
      if (touched.rows.length === 0) excluded.push(event);
      notes.unparsedValues += touched.unparsedValues;
      notes.unknownColumns += touched.unknownColumns;
      noteTable(notesByTable, change.table, touched);
      for (const { id, state } of touched.rows) {
        const row = rows.get(id) ?? { id, rules, changes: [], events: [] };
        row.changes.push(state);
        row.events.push(event);
        rows.set(id, row);
      }
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      rejected.push({ ...event, error });
    }
  }
  return { rows: [...rows.values()], rejected, excluded, notes, notesByTable };
}

const nothing: RowChanges = { rows: [], unparsedValues: 0, unknownColumns: 0 };

function noteTable(notes: Map<string, Notes>, table: Table, { unparsedValues, unknownColumns }: Notes): void {
  if (unparsedValues === 0 && unknownColumns === 0) return;
  const name = tableText(table);
  const known = notes.get(name) ?? { unparsedValues: 0, unknownColumns: 0 };
  notes.set(name, {
    unparsedValues: known.unparsedValues + unparsedValues,
    unknownColumns: known.unknownColumns + unknownColumns,
  });
}
