import type { ReasonCode } from './dataErrors.ts';

/**
 * A message that can never succeed: it becomes a dead letter with this code.
 * The text says what was found and where; it never contains column values.
 */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly code: ReasonCode;

  constructor(code: ReasonCode, message: string) {
    super(message);
    this.code = code;
  }
}
