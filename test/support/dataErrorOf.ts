import assert from 'node:assert/strict';
import { DataError } from '../../src/errors/dataError.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';

/** The DataError that `action` throws; fails when it throws none or something else. */
export function dataErrorOf(action: () => unknown): DataError {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof DataError, `expected a DataError, got ${String(error)}`);
    return error;
  }
  assert.fail('expected a DataError, but nothing was thrown');
}

/** Asserts the reason code and that the text says what was found and where. */
export function assertDataError(action: () => unknown, code: ReasonCode, text: RegExp): void {
  const error = dataErrorOf(action);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, text);
}
