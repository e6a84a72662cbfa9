import type { RetryPolicy } from './registeredFunction.ts';
import type { RpcRetryContext } from './rpc.ts';

/** What became of a batch. In Azure the checkpoint moves past it in the first two cases. */
export type Delivery =
  | { readonly outcome: 'succeeded'; readonly attempts: number }
  /** The function has no retry policy, or a finite one that is used up: nothing delivers the batch again. */
  | { readonly outcome: 'lost'; readonly attempts: number; readonly error: unknown }
  /** The policy would go on; the caller's limit ended it. */
  | { readonly outcome: 'gaveUp'; readonly attempts: number; readonly error: unknown };

/**
 * Calls again after a failure as the policy says, without its delays.
 * @param maxAttempts attempts after which to stop even if the policy would go on
 */
export async function deliverWithRetries(
  policy: RetryPolicy | undefined,
  maxAttempts: number,
  attempt: (retryContext: RpcRetryContext | undefined) => Promise<void>,
): Promise<Delivery> {
  if (!Number.isSafeInteger(maxAttempts) || maxAttempts < 1) {
    throw new RangeError(`maxAttempts must be a positive integer, not ${maxAttempts}`);
  }
  let failure: unknown;
  for (let attempts = 1; ; attempts += 1) {
    try {
      await attempt(policy && toRetryContext(policy, attempts - 1, failure));
      return { outcome: 'succeeded', attempts };
    } catch (error) {
      if (policy === undefined || (policy.maxRetryCount !== -1 && attempts > policy.maxRetryCount)) {
        return { outcome: 'lost', attempts, error };
      }
      if (attempts >= maxAttempts) {
        return { outcome: 'gaveUp', attempts, error };
      }
      failure = error;
    }
  }
}

/** A function with a retry policy gets a retry context from the first attempt on. */
export function toRetryContext(
  { maxRetryCount }: RetryPolicy,
  retryCount: number,
  failure: unknown,
): RpcRetryContext {
  if (retryCount === 0) {
    return { retryCount, maxRetryCount };
  }
  const { message, stack = '' } = failure instanceof Error ? failure : new Error(String(failure));
  return { retryCount, maxRetryCount, exception: { message, stackTrace: stack, source: '' } };
}
