import type { Brand } from '../model/brand.ts';
import type { Lsn } from '../model/lsn.ts';
import { transactionIdOf } from '../model/transaction.ts';

/** Place of a transaction in the history of its database: `<epoch, 4 digits>:<commit LSN>`; compared as text. */
export type Commit = Brand<string, 'Commit'>;

const form = /^[0-9]{4}:[0-9A-F]{20}$/;
const EPOCH_LENGTH = 4;

/** @param epoch an integer of up to four digits, as the settings have validated it. */
export function commitOf(epoch: number, lsn: Lsn): Commit {
  return `${String(epoch).padStart(EPOCH_LENGTH, '0')}:${lsn}` as Commit;
}

/** Reads a place back from a stored item; undefined when it is not one. */
export function parseCommit(text: unknown): Commit | undefined {
  return typeof text === 'string' && form.test(text) ? (text as Commit) : undefined;
}

export function lsnOf(commit: Commit): Lsn {
  return commit.slice(EPOCH_LENGTH + 1) as Lsn;
}

export function epochOf(commit: Commit): number {
  return Number(commit.slice(0, EPOCH_LENGTH));
}

export function transactionId(commit: Commit): string {
  return transactionIdOf(lsnOf(commit));
}
