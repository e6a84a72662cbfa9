/** One Event Hubs message as the trigger delivered it. */
export interface Message {
  readonly body: Buffer;
  readonly source: MessageSource;
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
