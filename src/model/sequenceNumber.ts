import type { Brand } from './brand.ts';

/** Number of a change within its transaction, as 20 decimal digits, so that text order is numeric order. */
export type SequenceNumber = Brand<string, 'SequenceNumber'>;

const digits = /^[0-9]{1,20}$/;

/** Returns undefined for anything but 1 to 20 decimal digits. */
export function parseSequenceNumber(text: string): SequenceNumber | undefined {
  return digits.test(text) ? padSequenceNumber(text) : undefined;
}

/** @param text 1 to 20 decimal digits, as the caller has checked. */
export function padSequenceNumber(text: string): SequenceNumber {
  return text.padStart(20, '0') as SequenceNumber;
}
