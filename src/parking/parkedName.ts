import { type LogicalId, parseLogicalId } from '../model/logicalId.ts';

/** Blob name prefix of the segments of one event: stream group, LSN and sequence number. */
export function groupPrefix(event: LogicalId): string {
  return `${event.streamGroup}/${event.lsn}/${event.sequence}/`;
}

export function segmentName(event: LogicalId, index: number): string {
  return `${groupPrefix(event)}${String(index).padStart(INDEX_DIGITS, '0')}`;
}

/** Name of the empty blob that notes that an event was applied. */
export function releasedName(event: LogicalId): string {
  return `${groupPrefix(event)}${RELEASED}`;
}

/** What a blob under a group's prefix is; undefined for a name that is none of ours. */
export function readParkedName(name: string): { readonly index: number } | 'released' | undefined {
  const last = name.slice(name.lastIndexOf('/') + 1);
  if (last === RELEASED) return 'released';
  return /^\d+$/.test(last) ? { index: Number(last) } : undefined;
}

/** The event whose group a blob belongs to; undefined for a name that is none of ours. */
export function readParkedEvent(name: string): LogicalId | undefined {
  const [streamGroup, lsn, sequence, ...rest] = name.split('/');
  const event = parseLogicalId(`${streamGroup}:${lsn}:${sequence}`);
  return rest.length === 1 && event !== undefined && name.startsWith(groupPrefix(event)) ? event : undefined;
}

const RELEASED = 'released';
const INDEX_DIGITS = 5;
