import type { Form } from './form.ts';
import { lsnText } from './lsn.ts';
import type { EventColumn, EventKey, RowImage, SourceEvent } from './sourceEvent.ts';

/** The `data` of an event as an object, in the order of the published messages. Rows are JSON in a string. */
export interface Payload {
  readonly eventsource: {
    readonly db: string;
    readonly schema: string;
    readonly tbl: string;
    readonly cols: readonly EventColumn[];
    readonly pkkey: readonly EventKey[];
    readonly transaction?: PayloadTransaction;
  };
  readonly eventrow: { readonly old: string; readonly current: string };
}

interface PayloadTransaction {
  readonly commitlsn: string;
  readonly beginlsn: string;
  readonly sequencenumber: number;
  readonly finalevent?: boolean;
  readonly committime: string;
}

export function payloadOf(event: SourceEvent, generation: Form['generation']): Payload {
  return {
    eventsource: {
      db: event.db,
      schema: event.schema,
      tbl: event.table,
      cols: event.columns,
      pkkey: event.key,
      ...(generation === 'split' ? {} : { transaction: transactionOf(event, generation) }),
    },
    eventrow: { old: rowJson(event.old, generation), current: rowJson(event.current, generation) },
  };
}

/** JSON the way CES writes it: every slash is escaped. */
export function cesJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll('/', '\\/');
}

function transactionOf(event: SourceEvent, generation: Form['generation']): PayloadTransaction {
  return {
    commitlsn: lsnText(event.commitLsn),
    beginlsn: lsnText(event.beginLsn),
    sequencenumber: event.sequence,
    // Never true in the field: the end of a transaction is not announced.
    ...(generation === 'segment-final' ? { finalevent: false } : {}),
    committime: event.commitTime,
  };
}

/** The early generations put a space after colons and commas. */
function rowJson(image: RowImage, generation: Form['generation']): string {
  const space = generation === 'segment-final' ? '' : ' ';
  const members = image.map(([name, text]) => `${cesJson(name)}:${space}${cesJson(text)}`);
  return `{${members.join(`,${space}`)}}`;
}
