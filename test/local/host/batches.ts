import type { HubBatch, HubMessage } from '../../../local/hubMessage.ts';

/** A batch of partition "3" with the bodies given; every message can be told apart by its metadata. */
export function batchOf(...bodies: readonly (string | Uint8Array)[]): HubBatch {
  return { partitionId: '3', messages: bodies.map(messageOf) };
}

function messageOf(body: string | Uint8Array, index: number): HubMessage {
  return {
    body: typeof body === 'string' ? Buffer.from(body) : body,
    partitionId: '3',
    sequenceNumber: 1000 + index,
    offset: `${4096 + index}`,
    enqueuedTime: `2025-03-14T16:45:20.6${index}0Z`,
    partitionKey: index === 1 ? null : `${index}`,
  };
}
