import type { ReasonCode } from './dataErrors.ts';

/**
 * A message that can never succeed: it becomes a dead letter with this code.
 * The text says what was found and where; it never contains column values.
 */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly code: ReasonCode;

  constructor(code: ReasonCode, message: string) {
    // Names of tables and columns are the sender's, and can be as long as the message.
    super(message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}...`);
    this.code = code;
  }
}

/** Characters of a message. */
const LONGEST_MESSAGE = 2_000;
