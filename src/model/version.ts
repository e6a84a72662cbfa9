import type { Brand } from './brand.ts';
import type { Lsn } from './lsn.ts';
import type { ChangeSequence } from './position.ts';
import type { SequenceNumber } from './sequenceNumber.ts';

/** Order of a change: `<epoch, 4 digits>:<commit LSN>:<place within the transaction>`; compared as text. */
export type Version = Brand<string, 'Version'>;

/** Highest epoch: it is written with four digits. */
export const MAX_EPOCH = 9999;

const form = /^[0-9]{4}:[0-9A-F]{20}:(?:[0-9]{20}|[0-9A-F]{20}-[0-9]{10})$/;

/** `epoch` is an integer from 0 to {@link MAX_EPOCH}; the settings have validated it. */
export function versionOf(epoch: number, lsn: Lsn, sequence: SequenceNumber | ChangeSequence): Version {
  return `${String(epoch).padStart(4, '0')}:${lsn}:${sequence}` as Version;
}

/** Reads a version back from a stored item; undefined when it is not one. */
export function parseVersion(text: unknown): Version | undefined {
  return typeof text === 'string' && form.test(text) ? (text as Version) : undefined;
}
