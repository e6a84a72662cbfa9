import type { HubBatch, HubMessage } from '../../local/hubMessage.ts';

/** The messages of each partition as the hub keeps them: once each, in their order. */
export function partitionStreams(batches: readonly HubBatch[]): ReadonlyMap<string, readonly HubMessage[]> {
  const streams = new Map<string, Map<number, HubMessage>>();
  for (const { partitionId, messages } of batches) {
    const stream = streams.get(partitionId) ?? new Map<number, HubMessage>();
    streams.set(partitionId, stream);
    for (const message of messages) stream.set(message.sequenceNumber, message);
  }
  return new Map(
    [...streams].map(([partitionId, stream]) => [
      partitionId,
      [...stream.values()].sort((a, b) => a.sequenceNumber - b.sequenceNumber),
    ]),
  );
}
