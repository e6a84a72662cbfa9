/** Rounds of each contender; they take turns, so that both see the same machine. */
const ROUNDS = 21;

export interface Contender {
  readonly name: string;
  /** Does the work once. */
  readonly run: () => void | Promise<void>;
}

/**
 * Runs two contenders in turns.
 * @returns the median time of each in milliseconds, and the median of the ratios `floor / subject` of each round:
 * 1 means as fast as the floor, 0.5 half as fast.
 */
export async function compare(
  subject: Contender,
  floor: Contender,
  rounds = ROUNDS,
): Promise<{ readonly subjectMs: number; readonly floorMs: number; readonly ratio: number }> {
  await time(floor);
  await time(subject);
  const times: { subject: number; floor: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0;
    const early = await time(first ? floor : subject);
    const late = await time(first ? subject : floor);
    times.push(first ? { floor: early, subject: late } : { subject: early, floor: late });
  }
  return {
    subjectMs: median(times.map((round) => round.subject)),
    floorMs: median(times.map((round) => round.floor)),
    ratio: median(times.map((round) => round.floor / round.subject)),
  };
}

async function time(contender: Contender): Promise<number> {
  const started = performance.now();
  await contender.run();
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  const middle = Math.floor(ascending.length / 2);
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? Number.NaN) + upper) / 2;
}
