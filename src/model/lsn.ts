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
  return isGrouped(text, lsn) || parseLsn(text) === lsn;
}

/** The usual form of the `transaction` block, told quickly: this runs for every change. */
function isGrouped(text: string, lsn: Lsn): boolean {
  return (
    text.length === lsn.length + 2 &&
    lsn.startsWith(text.slice(0, 8)) &&
    lsn.startsWith(text.slice(9, 17), 8) &&
    lsn.endsWith(text.slice(18)) &&
    text[8] === ':' &&
    text[17] === ':'
  );
}
