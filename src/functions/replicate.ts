import { app, type InvocationContext } from '@azure/functions';
import type { Message } from '../model/message.ts';
import { replicate } from '../pipeline.ts';
import type { Services } from '../services.ts';
import { recordBatch } from '../steps/recordBatch.ts';
import { warnings as catalogue, type Warning } from '../warnings/warnings.ts';
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
  const { telemetry } = services;
  const range = rangeOf(messages);
  const { partition = 'unknown' } = range;
  const started = performance.now();
  let outcome: 'done' | 'failed' = 'failed';
  try {
    await services.ready();
    const span = { name: 'replicate batch', attributes: { ...range, messages: messages.length } };
    const parent = context.traceContext;
    const done = await telemetry.trace({ ...span, parent }, () => replicate(messages, services));
    warnOfLetters(done.letters, context);
    for (const warning of done.warnings) context.warn(`warning ${JSON.stringify(adviceOn(warning))}`);
    recordBatch(done, telemetry, partition);
    const milliseconds = Math.round(performance.now() - started);
    context.log(`replicated ${JSON.stringify({ ...range, ...done.report, milliseconds })}`);
    outcome = 'done';
  } catch (error) {
    context.error(`batch failed and comes again ${JSON.stringify({ ...range, ...summaryOf(error) })}`);
    throw error;
  } finally {
    telemetry.measure('replica.batch_duration', (performance.now() - started) / 1000, { outcome, partition });
  }
}

/** Where the batch lies in the stream. */
function rangeOf(messages: readonly Message[]): Record<string, string> {
  const { partition, sequenceNumber } = messages[0]?.source ?? {};
  const last = messages.at(-1)?.source.sequenceNumber;
  return {
    ...(partition !== undefined && { partition }),
    ...(sequenceNumber !== undefined && { firstSequenceNumber: sequenceNumber }),
    ...(last !== undefined && { lastSequenceNumber: last }),
  };
}

function adviceOn({ code, subject, detail }: Warning): Record<string, string> {
  return { code, subject, detail, ...catalogue[code] };
}
