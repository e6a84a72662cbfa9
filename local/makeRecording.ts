import { fileURLToPath } from 'node:url';
import type { HubBatch } from './hubMessage.ts';
import { writeRecording } from './input/writeRecording.ts';
import { publishedMessages } from './recording/publishedMessages.ts';
import { shopEvents } from './recording/shopEvents.ts';
import { shopHistory } from './recording/shopHistory.ts';
import { handOver } from './simulation/batches.ts';
import { defaultSimulationOptions } from './simulation/options.ts';
import { outgoingSegment } from './simulation/outgoing.ts';
import { fillPartitions } from './simulation/partitions.ts';
import { Random } from './simulation/random.ts';
import { segmentsOf } from './simulation/segments.ts';
import { producerSends } from './simulation/sends.ts';

/*
 * Makes local/recording.jsonl, which `npm run local` plays: a day in a small shop, and published messages. Running it
 * again gives the same bytes. Usage: node local/makeRecording.ts [file]
 */

/** Round robin over four partitions, some messages twice, some out of order. */
const DELIVERY = {
  ...defaultSimulationOptions,
  partitions: 4,
  duplicates: 0.12,
  reorder: 0.25,
  batchSize: 8,
} as const;
const SEED = 20_260_807;

const file = process.argv[2] ?? fileURLToPath(new URL('recording.jsonl', import.meta.url));
await writeRecording(file, spread(shopBatches(), await publishedMessages()));

function shopBatches(): readonly HubBatch[] {
  const events = shopEvents(shopHistory(), new Random(SEED, 'shop'));
  const formRandom = new Random(SEED, 'form');
  const segments = events.flatMap(({ event, source }) =>
    segmentsOf(event, { ...DELIVERY, ...source.form }, formRandom),
  );
  const hubRandom = new Random(SEED, 'hub');
  const { sends } = producerSends(segments.map(outgoingSegment), DELIVERY, hubRandom);
  return handOver(fillPartitions(sends, DELIVERY, hubRandom), DELIVERY, hubRandom).batches;
}

/** Puts the batches of `few` between those of `many`, at even distances. */
function spread(many: readonly HubBatch[], few: readonly HubBatch[]): HubBatch[] {
  const distance = Math.ceil(many.length / (few.length + 1));
  return many.flatMap((batch, index) => {
    const next = (index + 1) % distance === 0 ? few[(index + 1) / distance - 1] : undefined;
    return next === undefined ? [batch] : [batch, next];
  });
}
