import { codeIn } from './codeIn.ts';
import { OutageError } from './outageError.ts';

/** Whether Blob storage answered with this HTTP status. */
export function isBlobStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === status;
}

/**
 * Runs a Blob call; the SDK has repeated it by itself already.
 * @throws OutageError when it failed all the same; `what` says what was being done, `then` what follows.
 */
export async function orOutage<Result>(
  what: string,
  call: () => Promise<Result>,
  then = 'the batch comes again',
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const code = codeIn(error);
    throw new OutageError(`Blob storage: ${what} failed${code}; ${then}`, { cause: error });
  }
}
