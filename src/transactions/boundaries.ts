/** What is told of a transaction to those who consume Debezium's transaction topic. */
export interface Boundaries {
  /** Times that it has ended: one that begins again ends with other counts. */
  readonly revision: number;
  readonly sent: SentBoundaries;
}

/** What the event hub has for sure. Joining takes the most of both. */
export interface SentBoundaries {
  readonly begin: boolean;
  /** Revision of the newest END; 0 before the first. */
  readonly end: number;
}

export const noBoundaries: Boundaries = { revision: 0, sent: { begin: false, end: 0 } };

export function joinSent(a: SentBoundaries, b: SentBoundaries): SentBoundaries {
  return { begin: a.begin || b.begin, end: Math.max(a.end, b.end) };
}

/** What is still to be sent, in its order. An END that was not sent before its transaction began again never is. */
export function unsentOf({ revision, sent }: Boundaries, hasEnded: boolean): readonly ('BEGIN' | 'END')[] {
  return [
    ...(sent.begin ? [] : (['BEGIN'] as const)),
    ...(hasEnded && sent.end < revision ? (['END'] as const) : []),
  ];
}
