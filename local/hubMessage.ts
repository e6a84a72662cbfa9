/** One message as an event hub holds it: the unit that is recorded, simulated and fed to the function. */
export interface HubMessage {
  readonly body: Uint8Array;
  /** Partition it was sent to, "0" upwards. */
  readonly partitionId: string;
  /** Position in its partition, counted from 0. */
  readonly sequenceNumber: number;
  /** Byte position in its partition, as text, the way Event Hubs gives it. */
  readonly offset: string;
  /** UTC, ISO 8601 with `Z`. */
  readonly enqueuedTime: string;
  readonly partitionKey: string | null;
}

/** One invocation of the function: messages of a single partition, in the order the host hands them over. */
export interface HubBatch {
  readonly partitionId: string;
  readonly messages: readonly HubMessage[];
}
