import type { Brand } from './brand.ts';

/**
 * Commit log sequence number: 20 upper-case hex digits, so that text order is log order.
 * CES writes it plain in `logicalid` and as 8:8:4 digits in the `transaction` block.
 */
export type Lsn = Brand<string, 'Lsn'>;

const plain = /^[0-9A-Fa-f]{20}$/;
const grouped = /^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}$/;

/** Returns undefined for anything but the two written forms. Lower case is accepted: some tools send it. */
export function parseLsn(text: string): Lsn | undefined {
  if (plain.test(text)) return text.toUpperCase() as Lsn;
  if (grouped.test(text)) return text.replaceAll(':', '').toUpperCase() as Lsn;
  return undefined;
}

/** Whether `text` is `lsn` in one of the written forms. */
export function isLsn(text: string, lsn: Lsn): boolean {
  // The usual form first: this runs for every change.
  if (text.length === 22 && text.startsWith(lsn.slice(0, 8)) && text.endsWith(lsn.slice(16))) {
    if (text.slice(8, 18) === `:${lsn.slice(8, 16)}:`) return true;
  }
  return parseLsn(text) === lsn;
}
