import type { Brand } from './brand.ts';

/** Number of a change within its transaction, as 20 decimal digits, so that text order is numeric order. */
export type SequenceNumber = Brand<string, 'SequenceNumber'>;

const digits = /^[0-9]{1,20}$/;

/** Returns undefined for anything but 1 to 20 decimal digits. */
export function parseSequenceNumber(text: string): SequenceNumber | undefined {
  return digits.test(text) ? (text.padStart(20, '0') as SequenceNumber) : undefined;
}
