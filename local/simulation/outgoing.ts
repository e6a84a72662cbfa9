import { avroMessage } from './avroMessage.ts';
import {
  boundaryMessages,
  chooseDebeziumForm,
  debeziumMessages,
  snapshotMessage,
} from './debeziumMessage.ts';
import { jsonMessage } from './jsonMessage.ts';
import { lsnDigits } from './lsn.ts';
import type { SimulationOptions } from './options.ts';
import { Random } from './random.ts';
import type { Segment } from './segments.ts';
import type { SourceEvent } from './sourceEvent.ts';

/** A message that some source has to send. */
export interface Outgoing {
  /** The change it is about, or the first of its transaction. */
  readonly event: SourceEvent;
  /** @param id of the message, where it has one. */
  readonly write: (id: string) => Buffer;
  /** Sent with a partition key, whatever the scheme of the stream is. */
  readonly keyed?: true;
}

export function outgoingSegment(segment: Segment): Outgoing {
  const write = segment.form.encoding === 'avro' ? avroMessage : jsonMessage;
  return { event: segment.event, write: (id) => write(segment, id) };
}

/** Share of the inserts of which a snapshot tells as well, and of the deletes that a tombstone follows. */
const SNAPSHOT_SHARE = 0.1;
const TOMBSTONE_SHARE = 0.3;

/**
 * The messages of both sources in the order of commits. With the format `mixed` a transaction is told by either
 * source, or by both.
 */
export function outgoingMessages(
  events: readonly SourceEvent[],
  segmentsOfEvent: ReadonlyMap<SourceEvent, readonly Segment[]>,
  options: SimulationOptions,
): readonly Outgoing[] {
  const random = new Random(options.seed, 'debezium');
  const transactions = [
    ...Map.groupBy(events, ({ db, commitLsn }) => `${db} ${lsnDigits(commitLsn)}`).values(),
  ];
  return transactions.flatMap((transaction) => {
    const told =
      options.format === 'mixed' ? random.pick(['ces', 'debezium', 'both'] as const) : options.format;
    const ces = told === 'debezium' ? [] : transaction.flatMap((event) => segmentsOfEvent.get(event) ?? []);
    const debezium = told === 'ces' ? [] : ofDebezium(transaction, random);
    return [...ces.map(outgoingSegment), ...debezium];
  });
}

function ofDebezium(transaction: readonly SourceEvent[], random: Random): readonly Outgoing[] {
  const [begin, end] = boundaryMessages(transaction);
  const [event] = transaction;
  if (begin === undefined || end === undefined || event === undefined) return [];
  return [
    fixed(event, begin),
    ...transaction.flatMap((change) => ofChange(change, random)),
    fixed(event, end),
  ];
}

function ofChange(event: SourceEvent, random: Random): readonly Outgoing[] {
  const form = chooseDebeziumForm(event, random);
  const messages = debeziumMessages(event, form).map((body) => fixed(event, body));
  if (event.operation === 'INS' && random.chance(SNAPSHOT_SHARE))
    messages.push(fixed(event, snapshotMessage(event, form)));
  if (event.operation === 'DEL' && random.chance(TOMBSTONE_SHARE))
    messages.push({ ...fixed(event, Buffer.alloc(0)), keyed: true });
  return messages;
}

function fixed(event: SourceEvent, body: Buffer): Outgoing {
  return { event, write: () => body };
}
