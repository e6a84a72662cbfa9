import type { Brand } from './brand.ts';
import { type Lsn, parseLsn } from './lsn.ts';
import { parseSequenceNumber, type SequenceNumber } from './sequenceNumber.ts';

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

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns undefined for anything but the three parts in the published form. */
export function parseLogicalId(text: string): LogicalId | undefined {
  const [group, lsnText, sequenceText, ...rest] = text.split(':');
  if (group === undefined || lsnText === undefined || sequenceText === undefined || rest.length > 0)
    return undefined;
  const lsn = parseLsn(lsnText);
  const sequence = parseSequenceNumber(sequenceText);
  if (!guid.test(group) || lsn === undefined || sequence === undefined) return undefined;
  const streamGroup = group.toLowerCase() as StreamGroup;
  return { streamGroup, lsn, sequence, text: `${streamGroup}:${lsn}:${sequence}` };
}
