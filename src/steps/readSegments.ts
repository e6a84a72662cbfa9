import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { type DebeziumOptions, defaultDebeziumOptions } from '../debezium/debeziumOptions.ts';
import { DataError } from '../errors/dataError.ts';
import type { Message } from '../model/message.ts';
import type { TransactionBoundary } from '../model/transactionBoundary.ts';
import { readBody } from './readBody.ts';
import type { ReceivedSegment, WholeEvent } from './received.ts';

/** What the messages of a batch are. */
export interface ReadMessages {
  /** Of CES. */
  readonly segments: readonly ReceivedSegment[];
  /** Of Debezium, whose events are never split. */
  readonly events: readonly WholeEvent[];
  /** What Debezium tells of transactions, for those who follow them. */
  readonly boundaries: readonly TransactionBoundary[];
  /** Messages that say nothing of a row: those of boundaries, heartbeats, tombstones and the like. */
  readonly ignored: readonly Message[];
  readonly unreadable: readonly DeadLetter[];
}

/** Step 1: reads every message; one that cannot be read does not hold up the others. */
export function readSegments(
  messages: readonly Message[],
  options: DebeziumOptions = defaultDebeziumOptions,
): ReadMessages {
  const segments: ReceivedSegment[] = [];
  const events: WholeEvent[] = [];
  const boundaries: TransactionBoundary[] = [];
  const ignored: Message[] = [];
  const unreadable: DeadLetter[] = [];
  for (const message of messages) {
    if (isTombstone(message)) {
      ignored.push(message);
      continue;
    }
    try {
      const read = readBody(message.body, options);
      switch (read.kind) {
        case 'segment':
          segments.push({ segment: read.segment, message });
          break;
        case 'change':
          events.push({ change: read.change, segments: [], message, parked: false });
          break;
        case 'boundary':
          boundaries.push(read.boundary);
          ignored.push(message);
          break;
        case 'ignored':
          ignored.push(message);
          break;
        default:
          read satisfies never;
      }
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      unreadable.push({ message, error });
    }
  }
  return { segments, events, boundaries, ignored, unreadable };
}

/**
 * Kafka Connect writes a key without a body after every delete, for hubs that are compacted (`tombstones.on.delete`).
 * Debezium Server's sink for Event Hubs leaves it out.
 */
function isTombstone({ body, keyed }: Message): boolean {
  return body.length === 0 && keyed === true;
}
