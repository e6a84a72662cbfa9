import { app, type InvocationContext } from '@azure/functions';
import type { Message } from '../model/message.ts';
import { replicate } from '../pipeline.ts';
import type { Services } from '../services.ts';
import { readTrigger } from './readTrigger.ts';
import { summaryOf } from './summaryOf.ts';
import { warnOfLetters } from './warnOfLetters.ts';

/**
 * Registers the Event Hubs trigger.
 * @param services called for each batch, so that registering comes before anything that can fail.
 */
export function registerReplicate(services: () => Services): void {
  app.eventHub('replicate', {
    connection: 'EventHub',
    eventHubName: '%EVENT_HUB_NAME%',
    consumerGroup: '%EVENT_HUB_CONSUMER_GROUP%',
    cardinality: 'many',
    // Without it the host parses every body as JSON, and one Avro body fails the batch before the handler runs.
    // The library's types lack it.
    ...{ dataType: 'binary' },
    // The host moves its checkpoint on when retries are used up, so they must never be.
    retry: {
      strategy: 'exponentialBackoff',
      maxRetryCount: -1,
      minimumInterval: { seconds: 1 },
      maximumInterval: { minutes: 1 },
    },
    handler: async (input: unknown, context: InvocationContext): Promise<void> => {
      await handle(readTrigger(input, context), context, services());
    },
  });
}

async function handle(
  messages: readonly Message[],
  context: InvocationContext,
  services: Services,
): Promise<void> {
  if (messages.length === 0) return;
  const started = performance.now();
  try {
    const { report, letters } = await replicate(messages, services);
    warnOfLetters(letters, context);
    const milliseconds = Math.round(performance.now() - started);
    context.log(`replicated ${JSON.stringify({ ...rangeOf(messages), ...report, milliseconds })}`);
  } catch (error) {
    context.error(
      `batch failed and comes again ${JSON.stringify({ ...rangeOf(messages), ...summaryOf(error) })}`,
    );
    throw error;
  }
}

/** Where the batch lies in the stream. */
function rangeOf(messages: readonly Message[]): Record<string, string | undefined> {
  return {
    partition: messages[0]?.source.partition,
    firstSequenceNumber: messages[0]?.source.sequenceNumber,
    lastSequenceNumber: messages.at(-1)?.source.sequenceNumber,
  };
}
