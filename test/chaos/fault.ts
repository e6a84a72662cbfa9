/** What happens to one HTTP request instead of the ordinary. */
export type Fault =
  /** The service answers for the request as a whole, and does nothing. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /**
   * Some operations of a bulk request get another answer: those whose place has a remainder of 0. `done`: the
   * service did them all the same.
   */
  | {
      readonly kind: 'operations';
      readonly status: number;
      readonly everyNth: number;
      readonly done: boolean;
      readonly retryAfterMs: number;
    }
  /** The connection is cut before the service sees the request. */
  | { readonly kind: 'cutBefore' }
  /** The service does what it is asked; the connection is cut before the answer. */
  | { readonly kind: 'cutAfter' }
  /** The same, in the middle of the answer. */
  | { readonly kind: 'cutMidway' }
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** No answer comes for long, then the connection is cut; the service has done what it was asked or not. */
  | { readonly kind: 'silence'; readonly milliseconds: number; readonly done: boolean }
  /** A list of blobs lacks its last ones. */
  | { readonly kind: 'lag'; readonly hidden: number };

/** What a fault is chosen for. */
export type RequestKind = 'bulk' | 'otherCosmos' | 'list' | 'conditionalUpload' | 'otherBlob';
