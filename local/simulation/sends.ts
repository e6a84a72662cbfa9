import type { SimulationOptions } from './options.ts';
import type { Outgoing } from './outgoing.ts';
import type { Random } from './random.ts';

/** One message as the producer sends it. */
export interface Send {
  readonly outgoing: Outgoing;
  readonly id: string;
}

const LONGEST_RUN = 8;
/** Half of the runs have one message, the others 2 to {@link LONGEST_RUN}. */
const MEAN_RUN = (1 + (2 + LONGEST_RUN) / 2) / 2;
const FRESH_ID_SHARE = 0.5;

/**
 * Everything the producer sends, in commit order. Half of the `duplicates` share comes from here: single
 * messages and runs are sent again right after themselves, with the same ids or with new ones.
 */
export function producerSends(
  messages: readonly Outgoing[],
  options: SimulationOptions,
  random: Random,
): { readonly sends: readonly Send[]; readonly resent: number } {
  const share = options.duplicates / 2;
  // Runs do not overlap: with this chance at every message outside a run, `share` of all messages are in one.
  const startChance = share / (MEAN_RUN - (MEAN_RUN - 1) * share);
  const sends: Send[] = [];
  for (let next = 0; next < messages.length; ) {
    const again = random.chance(startChance);
    const length = again && random.chance(0.5) ? random.integer(2, LONGEST_RUN) : 1;
    const run = messages.slice(next, next + length).map((outgoing) => ({ outgoing, id: random.guid() }));
    sends.push(...run);
    if (again) {
      const fresh = random.chance(FRESH_ID_SHARE);
      sends.push(...run.map((send) => (fresh ? { ...send, id: random.guid() } : send)));
    }
    next += length;
  }
  return { sends, resent: sends.length - messages.length };
}
