import pMap, { pMapSkip } from 'p-map';
import type { DeadLetter } from '../deadletter/deadLetter.ts';
import { Deadline } from '../deadline.ts';
import { LOGGED_DEAD_LETTERS, SWEEP_CONCURRENCY, SWEEP_GRACE_SECONDS, SWEEP_SECONDS } from '../limits.ts';
import type { FoundGroup } from '../parking/parking.ts';
import type { Services } from '../services.ts';
import { recordLetters } from './recordLetters.ts';
import { sweepGroup } from './sweepGroup.ts';
import type { SweepReport } from './sweepReport.ts';
import { SweepTally } from './sweepTally.ts';

/**
 * Goes through everything that is parked and brings to an end what nothing else will: complete events that a crash
 * left, segments of events that are applied already, and events whose other segments do not come. It can run at
 * any time, beside the trigger and other sweeps; what it does not get to is for the next one.
 * @param now what the age of a parked segment is counted to.
 * @param seconds time after which no more events are taken on.
 * @throws OutageError when Cosmos DB or Blob storage does not do its work in time.
 */
export async function sweep(
  services: Services,
  now: Date = new Date(),
  seconds: number = SWEEP_SECONDS,
): Promise<SweepOutcome> {
  const time = new Deadline(seconds);
  const deadline = new Deadline(seconds + SWEEP_GRACE_SECONDS);
  const tally = new SweepTally(now);
  const letters: DeadLetter[] = [];
  await pMap(
    untilAborted(services.parking.groups(deadline.signal), time.signal),
    async (group) => {
      const swept = await sweepGroup(group, services, deadline, now);
      tally.add(group, swept);
      recordLetters(swept.letters, services.telemetry);
      // Letters hold their messages, so only those that are logged are kept.
      letters.push(...swept.letters.slice(0, LOGGED_DEAD_LETTERS - letters.length));
      return pMapSkip;
    },
    { concurrency: SWEEP_CONCURRENCY },
  );
  return { report: tally.report(!time.signal.aborted), letters };
}

export interface SweepOutcome {
  readonly report: SweepReport;
  /** The first dead letters, as many as are logged. */
  readonly letters: readonly DeadLetter[];
}

async function* untilAborted(
  groups: AsyncIterable<FoundGroup>,
  signal: AbortSignal,
): AsyncGenerator<FoundGroup> {
  for await (const group of groups) {
    if (signal.aborted) return;
    yield group;
  }
}
