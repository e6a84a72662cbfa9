import type { HubBatch, HubMessage } from '../hubMessage.ts';
import type { HubIdentity } from './hubIdentity.ts';
import type { RpcTypedData } from './rpc.ts';
import { json, longCollection, stringCollection, toRpcLong } from './typedData.ts';

/**
 * How much of the trigger metadata the handler gets. `full`: all of it. `longObjects`: all, with
 * `sequenceNumberArray` as `{ low, high, unsigned }` objects, as some hosts send it. `missing`: none, as for a call
 * through the admin endpoint.
 */
export type MetadataShape = 'full' | 'longObjects' | 'missing';

/** The trigger metadata of a batch as the host sends it: names in PascalCase, times without a zone. */
export function eventHubMetadata(
  hub: HubIdentity,
  { partitionId, messages }: HubBatch,
  shape: MetadataShape,
): Record<string, RpcTypedData> {
  if (shape === 'missing') {
    return {};
  }
  const partitionContext = json({
    IsCheckpointingAfterInvocation: true,
    FullyQualifiedNamespace: hub.fullyQualifiedNamespace,
    EventHubName: hub.eventHubName,
    ConsumerGroup: hub.consumerGroup,
    PartitionId: partitionId,
  });
  const sequenceNumbers = messages.map(({ sequenceNumber }) => sequenceNumber);
  return {
    TriggerPartitionContext: partitionContext,
    PartitionContext: partitionContext,
    PartitionKeyArray: stringCollection(messages.map(({ partitionKey }) => partitionKey)),
    OffsetArray: stringCollection(messages.map(({ offset }) => String(numericOffset(offset)))),
    OffsetStringArray: stringCollection(messages.map(({ offset }) => offset)),
    SequenceNumberArray: longCollection(
      shape === 'longObjects' ? sequenceNumbers.map(toRpcLong) : sequenceNumbers,
    ),
    EnqueuedTimeUtcArray: json(messages.map(({ enqueuedTime }) => withoutZone(enqueuedTime))),
    PropertiesArray: json(messages.map(() => ({}))),
    SystemPropertiesArray: json(messages.map(systemProperties)),
  };
}

function systemProperties({ sequenceNumber, offset, partitionKey, enqueuedTime }: HubMessage): object {
  return {
    SequenceNumber: sequenceNumber,
    Offset: numericOffset(offset),
    OffsetString: offset,
    PartitionKey: partitionKey,
    EnqueuedTimeUtc: withoutZone(enqueuedTime),
  };
}

/** The older, numeric form; -1 where the offset is not a number. */
function numericOffset(offset: string): number {
  return /^-?\d+$/.test(offset) ? Number(offset) : -1;
}

/** The host's JSON for a .NET time of no stated kind: no zone, no trailing zeros in the fraction. */
function withoutZone(time: string): string {
  const [, seconds = time, fraction = ''] = /^([^.]*?)(?:\.(\d+))?Z$/.exec(time) ?? [];
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? seconds : `${seconds}.${digits}`;
}
