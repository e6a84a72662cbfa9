import { fork } from 'node:child_process';

export interface SeedRange {
  readonly first: number;
  readonly seeds: number;
}

/**
 * Runs every seed of a range in worker processes that {@link answerSeeds}.
 * @param take told the result of each seed, in the order in which they end.
 * @returns how many seeds got a result: fewer than asked for when a worker ended early.
 */
export async function runSeeds<Result>(
  worker: URL,
  { first, seeds }: SeedRange,
  workers: number,
  take: (seed: number, result: Result) => void,
): Promise<number> {
  let next = first;
  let done = 0;
  const work = (): Promise<void> => {
    const child = fork(worker);
    child.on('message', (message) => {
      const answer = message as Answer<Result>;
      if (answer !== READY) {
        done += 1;
        take(answer.seed, answer.result);
      }
      if (next < first + seeds) child.send(next++);
      else child.disconnect();
    });
    return new Promise((resolve) => child.on('exit', () => resolve()));
  };
  await Promise.all(Array.from({ length: Math.min(workers, seeds) }, work));
  return done;
}

/** In a worker process: runs the seeds that the parent sends, one at a time, until it has no more. */
export function answerSeeds<Result>(
  run: (seed: number) => Promise<Result>,
  close: () => Promise<void>,
): void {
  process.on('message', async (message) => {
    const seed = Number(message);
    process.send?.({ seed, result: await run(seed) } satisfies Answer<Result>);
  });
  process.on('disconnect', close);
  process.send?.(READY);
}

const READY = 'ready';
type Answer<Result> = typeof READY | { readonly seed: number; readonly result: Result };
