import type { Brand } from './brand.ts';
import type { Lsn } from './lsn.ts';
import { padSequenceNumber, type SequenceNumber } from './sequenceNumber.ts';

/**
 * What all segments of an event share: `<stream group GUID>:<commit LSN>:<sequence number>`.
 * Because it holds the position in the log, every single segment tells the version of its event.
 */
export interface LogicalId {
  /** Lower-case GUID; a stream group that is created anew gets a new one. */
  readonly streamGroup: StreamGroup;
  readonly lsn: Lsn;
  readonly sequence: SequenceNumber;
  /** Canonical form: equal for equal ids, whatever the case on the wire. */
  readonly text: string;
}

export type StreamGroup = Brand<string, 'StreamGroup'>;

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:[0-9a-f]{20}:[0-9]{1,20}$/i;
const GUID_CHARACTERS = 36;
const LSN_CHARACTERS = 20;

/** Returns undefined for anything but the three parts in the published form. */
export function parseLogicalId(text: string): LogicalId | undefined {
  if (!form.test(text)) return undefined;
  const afterGuid = GUID_CHARACTERS + 1;
  const afterLsn = afterGuid + LSN_CHARACTERS + 1;
  const streamGroup = text.slice(0, GUID_CHARACTERS).toLowerCase() as StreamGroup;
  const lsn = text.slice(afterGuid, afterLsn - 1).toUpperCase() as Lsn;
  const sequence = padSequenceNumber(text.slice(afterLsn));
  return { streamGroup, lsn, sequence, text: `${streamGroup}:${lsn}:${sequence}` };
}
