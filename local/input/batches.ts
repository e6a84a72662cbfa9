import type { HubBatch, HubMessage } from '../hubMessage.ts';
import { MAX_BATCH_MESSAGES } from './limits.ts';

/** A message that was read, and what it may be delivered together with. */
export interface InputMessage {
  readonly message: HubMessage;
  /** Consecutive messages share a batch only if this text is the same. */
  readonly group: string;
}

/** Puts consecutive messages of the same partition and group into batches, in their order, up to the limit. */
export async function* toBatches(input: AsyncIterable<InputMessage>): AsyncGenerator<HubBatch> {
  let messages: HubMessage[] = [];
  let last: InputMessage | undefined;
  for await (const next of input) {
    if (last !== undefined && (messages.length === MAX_BATCH_MESSAGES || !belongTogether(last, next))) {
      yield { partitionId: last.message.partitionId, messages };
      messages = [];
    }
    messages.push(next.message);
    last = next;
  }
  if (last !== undefined) {
    yield { partitionId: last.message.partitionId, messages };
  }
}

function belongTogether(a: InputMessage, b: InputMessage): boolean {
  return a.group === b.group && a.message.partitionId === b.message.partitionId;
}
