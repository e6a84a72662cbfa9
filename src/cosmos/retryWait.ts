import { RETRY_AFTER_LONGEST_MS, RETRY_FIRST_MS, RETRY_LONGEST_MS } from '../limits.ts';

/**
 * Milliseconds before something is tried again: what Cosmos DB asks for, within reason, or longer each time, with
 * jitter.
 * @param asked in milliseconds; 0 when it does not ask.
 * @param before tries that have failed before the last one.
 */
export function retryWait(asked: number, before: number): number {
  const backoff = Math.min(RETRY_FIRST_MS * 2 ** before, RETRY_LONGEST_MS);
  return Math.max(Math.min(asked, RETRY_AFTER_LONGEST_MS), backoff) * (1 + Math.random() / 2);
}
