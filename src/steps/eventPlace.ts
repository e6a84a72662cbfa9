import type { Lsn } from '../model/lsn.ts';
import { isSnapshot, type Position } from '../model/position.ts';
import type { SequenceNumber } from '../model/sequenceNumber.ts';
import { ELSEWHERE } from '../transactions/partitionProgress.ts';
import type { Rejected } from './received.ts';

/** Where an event stands in its stream, and in which partition it came. */
export interface EventPlace {
  /** Stream group of CES; undefined for Debezium, whose events all tell their database. */
  readonly streamGroup: string | undefined;
  readonly lsn: Lsn;
  /** Number within the transaction; undefined where it has none: Debezium numbers only when it is told to. */
  readonly number: number | undefined;
  readonly time: string | null;
  readonly partition: string;
}

/** Stands for the stream group in what Debezium sends: a connector goes through the log of a database in order. */
export const DEBEZIUM_STREAM = 'debezium';

/** Undefined for a row of a snapshot, which belongs to no transaction. */
export function placeOf({
  segments,
  message,
  change,
}: Pick<Rejected, 'segments' | 'message'> & {
  readonly change?: { readonly position?: Position; readonly time?: string | null } | undefined;
}): EventPlace | undefined {
  const [first] = segments;
  if (first !== undefined) {
    const { streamGroup, lsn, sequence } = first.segment.logicalId;
    const partition = first.message.source.partition ?? ELSEWHERE;
    return { streamGroup, lsn, number: numberOf(sequence), time: first.segment.time, partition };
  }
  const position = change?.position;
  if (position === undefined || isSnapshot(position)) return undefined;
  return {
    streamGroup: undefined,
    lsn: position.lsn,
    number: position.totalOrder,
    time: change?.time ?? null,
    partition: message?.source.partition ?? ELSEWHERE,
  };
}

function numberOf(sequence: SequenceNumber): number | undefined {
  const number = Number(sequence);
  return Number.isSafeInteger(number) ? number : undefined;
}
