/** One Event Hubs message as the trigger delivered it. */
export interface Message {
  readonly body: Buffer;
  readonly source: MessageSource;
  /** The sender gave it a partition key; which one does not matter, and it may hold values of a row. */
  readonly keyed?: true;
}

/** Where a message came from, as far as the host told: its metadata can be missing. */
export interface MessageSource {
  readonly hub?: string;
  readonly partition?: string;
  readonly sequenceNumber?: string;
  readonly offset?: string;
  /** UTC, ISO 8601 with `Z`. */
  readonly enqueuedTime?: string;
}
