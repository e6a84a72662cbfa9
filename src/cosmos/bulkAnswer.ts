/** What an operation of a bulk request came to. `charge`: the request units it cost, where Cosmos DB told. */
export type BulkAnswer = AnswerKind & { readonly charge?: number };

type AnswerKind =
  /** Done; a read gives the stored document and its etag. */
  | { readonly kind: 'ok'; readonly stored?: unknown; readonly etag?: string }
  /** 413 for a read: the answers to the reads before it were as much as one response holds. */
  | { readonly kind: 'deferred' }
  /** 404: nothing is stored under the id. */
  | { readonly kind: 'missing' }
  /** 409 or 412: someone else has written the item. */
  | { readonly kind: 'outrun' }
  /** 429. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  /** It may or may not have been done: time-out, connection lost, 408, 449, 5xx. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** It never will be done as it is: 400, 413. */
  | { readonly kind: 'refused'; readonly reason: string };
