import { Random } from '../../../local/simulation/random.ts';
import type { Deadline } from '../../../src/deadline.ts';
import { OutageError } from '../../../src/errors/outageError.ts';
import { FAILING_MARK_MS, READ_LAG_MS } from '../../../src/limits.ts';
import type { Message } from '../../../src/model/message.ts';
import { replicate } from '../../../src/pipeline.ts';
import { sweep } from '../../../src/sweep/sweep.ts';
import { moveWatermarks } from '../../../src/watermark/moveWatermarks.ts';
import { numberRows } from '../../../src/watermark/numberRows.ts';
import { hubMessages } from '../../support/hubMessages.ts';
import { MemoryProgress } from '../../support/memoryProgress.ts';
import { PatientDeadline } from '../../support/patientDeadline.ts';
import { testServices } from '../../support/testServices.ts';
import { makeHistory } from './history.ts';
import { Hub } from './hub.ts';
import { type Circumstances, Crash, IDLE_MS, Instance, type Stores } from './instance.ts';
import { Versions } from './laggingProgress.ts';
import { Oracle } from './oracle.ts';

export interface Outcome {
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * A history, a hub, instances that crash and overlap, and a clock that only the seed moves. The watermark is judged
 * whenever it is written.
 * @param punctual whether no message waits longer than the idle time allows; else changes come late, and only the counts
 * and the end are judged.
 */
export async function simulate(seed: number, punctual = true): Promise<Outcome> {
  const simulation = new Simulation(seed, punctual);
  await simulation.run();
  return { problems: simulation.problems.slice(0, 10), counts: simulation.counts };
}

const START_MS = Date.UTC(2026, 7, 7, 13);
const MAX_STEPS = 20_000;
/** Seeds with TRANSACTIONS on-with-order. */
const ORDER_SHARE = 0.5;

class Simulation {
  readonly problems: string[] = [];
  readonly counts: Record<string, number> = { batches: 0, crashes: 0, runs: 0, moves: 0, late: 0, idle: 0 };
  readonly #random: Random;
  readonly #punctual: boolean;
  readonly #partitions: number;
  readonly #circumstances: Circumstances;
  readonly #stores: Stores = {
    ...testServices(),
    progress: new MemoryProgress(),
    versions: new Versions(() => this.#now),
  };
  readonly #hub: Hub;
  readonly #oracle: Oracle;
  /** Two of them share the partitions; both may have the same one for a time. */
  readonly #instances: Instance[];
  /** Partitions whose batches fail for a while, and when one left its mark last; undefined before the first. */
  readonly #storms = new Map<number, number | undefined>();
  readonly #failing = new Set<number>();
  /** What goes on beside the next steps. */
  readonly #underWay = new Set<Promise<void>>();
  #now = START_MS;

  constructor(seed: number, punctual: boolean) {
    const random = new Random(seed, 'transactions');
    this.#random = random;
    this.#punctual = punctual;
    this.#partitions = random.integer(1, 16);
    this.#circumstances = {
      random,
      now: () => this.#now,
      // Apart, so that histories stay as they are.
      withOrder: new Random(seed, 'order').chance(ORDER_SHARE),
      crashes: random.pick([0, 0.002, 0.02]),
      faults: random.pick([0, 0, 0.01, 0.05]),
      // Of too few those above them are waited for only from their first message on.
      told: Math.max(1, this.#partitions + random.pick([0, 0, 0, 2, punctual ? 0 : -2])),
    };
    const history = makeHistory(random, random.integer(5, 30), random.pick([0, 0.05]));
    this.#hub = new Hub(history, this.#partitions, random);
    this.#oracle = new Oracle(history, this.#stores);
    this.#instances = [this.#start(), this.#start()];
    this.#stores.progress.written = (item, etag) => {
      this.#stores.versions.note(item, etag);
      if (punctual && item['status'] === 'END') this.problems.push(...this.#oracle.judgeEnded(item));
      if (item.id !== 'watermark') return;
      this.counts['moves'] = (this.counts['moves'] ?? 0) + 1;
      this.problems.push(...this.#oracle.judge(item, punctual));
    };
  }

  async run(): Promise<void> {
    for (let step = 0; !(this.#hub.allSent && this.#hub.empty); step += 1) {
      if (step > MAX_STEPS) throw new Error('the simulation does not end');
      await this.#step();
    }
    await Promise.all(this.#underWay);
    await this.#settle();
    this.problems.push(
      ...this.#oracle.judgeEnd(),
      ...(this.#circumstances.withOrder ? this.#oracle.judgeOrders() : []),
    );
    for (const item of this.#stores.progress.items()) {
      this.#count('late', Number(item['late'] ?? 0));
      this.#count('idle', item['closed_by'] === 'idle' ? 1 : 0);
    }
  }

  async #step(): Promise<void> {
    const random = this.#random;
    const way = random.next();
    if (way < 0.1) this.#hub.send(random.integer(1, 20), this.#now);
    else if (way < 0.15) this.#tick();
    else if (way < 0.28) await this.#begin(this.#move());
    else if (way < 0.3) await this.#begin(Promise.all([this.#move(), this.#move()]).then(() => {}));
    else if (way < 0.32) await this.#begin(this.#sweep());
    else if (way < 0.34) await this.#begin(this.#replay());
    else await this.#deliverNext(random.integer(0, this.#partitions - 1));
    if (random.chance(0.01)) this.#replace(random.integer(0, 1));
    if (random.chance(0.01)) await this.#startStorm(random.integer(0, this.#partitions - 1));
    for (const partition of this.#storms.keys())
      if (!this.#failing.has(partition) && random.chance(0.05)) this.#endStorm(partition);
  }

  /** From here on nothing takes the marks away but what comes after the storm. */
  async #startStorm(partition: number): Promise<void> {
    await Promise.all(this.#underWay);
    if (!this.#storms.has(partition)) this.#storms.set(partition, undefined);
  }

  /** Its messages come to a process that can see the mark. */
  #endStorm(partition: number): void {
    this.#storms.delete(partition);
    this.#now += READ_LAG_MS + 1;
  }

  /** Goes on beside other things now and then. */
  async #begin(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
    if (this.#underWay.size > 3 || this.#random.chance(0.6)) await tracked;
  }

  /** In a storm one after the other: what takes a mark away must be known. */
  async #deliverNext(partition: number): Promise<void> {
    if (this.#failing.has(partition)) return;
    if (!this.#storms.has(partition)) return this.#begin(this.#deliver(partition));
    this.#failing.add(partition);
    return this.#begin(this.#deliver(partition).finally(() => this.#failing.delete(partition)));
  }

  async #deliver(partition: number): Promise<void> {
    const from = this.#hub.checkpoints[partition] ?? 0;
    const queue = this.#hub.queues[partition] ?? [];
    // One that has lost the partition may still work on what it had.
    const isStormy = this.#storms.has(partition);
    const overlaps = !isStormy && this.#random.chance(0.1);
    const start = overlaps ? Math.max(0, from - this.#random.integer(0, 10)) : from;
    const end = Math.min(start + this.#random.integer(1, 12), queue.length);
    if (start >= end) return;
    const index = this.#random.integer(0, 1);
    const instance = this.#instances[index];
    if (instance === undefined) return;
    this.#count('batches', 1);
    const bodies = queue.slice(start, end).map(({ body }) => body);
    const messages = hubMessages(bodies, start, String(partition));
    const done = isStormy
      ? await this.#fail(partition, messages)
      : await this.#survive(index, instance, async () => {
          await replicate(messages, instance.services);
        });
    if (done) this.#hub.checkpoints[partition] = Math.max(this.#hub.checkpoints[partition] ?? 0, end);
  }

  /**
   * Another process that has the partition, and no answer from the stores.
   * @returns whether the batch went well all the same, since it asks for nothing.
   */
  async #fail(partition: number, messages: readonly Message[]): Promise<boolean> {
    // Time goes by before a batch comes again: what has gone well meanwhile has seen the mark.
    this.#now += READ_LAG_MS + 1;
    const failing = new Instance(this.#stores, { ...this.#circumstances, crashes: 0 });
    failing.outage = this.#random.pick(['rows', 'all']);
    try {
      await replicate(messages, failing.services);
      this.#storms.set(partition, undefined);
      return true;
    } catch (error) {
      if (!(error instanceof OutageError)) throw error;
      const { failing: mark } = { ...this.#stores.progress.item(`partition-${partition}`) };
      if (mark === undefined) this.problems.push(`partition ${partition} has no mark of a batch that failed`);
      this.#count('storms', 1);
      this.#storms.set(partition, this.#now);
      return false;
    }
  }

  async #move(): Promise<void> {
    const index = this.#random.integer(0, 1);
    const instance = this.#instances[index];
    if (instance === undefined) return;
    this.#count('runs', 1);
    await this.#survive(index, instance, () => this.#moveFrom(instance));
  }

  async #moveFrom(instance: Instance): Promise<void> {
    // The clock leaps between runs, which they would take for outages.
    const services = { ...instance.services, tracking: instance.anotherTracking() };
    const deadline = new PausingDeadline(instance);
    const before = this.#now;
    try {
      const reports = await moveWatermarks(services, deadline, READ_LAG_MS);
      await this.#number(instance, reports, before, deadline);
    } finally {
      deadline.end();
    }
  }

  async #sweep(): Promise<void> {
    const index = this.#random.integer(0, 1);
    const instance = this.#instances[index];
    if (instance === undefined) return;
    this.#count('sweeps', 1);
    await this.#survive(index, instance, async () => {
      await sweep(instance.services, this.#stores.parking.now);
    });
  }

  /** As if they had been dead letters: messages that were handled before. */
  async #replay(): Promise<void> {
    const index = this.#random.integer(0, 1);
    const instance = this.#instances[index];
    const partition = this.#random.integer(0, this.#partitions - 1);
    const handled = this.#hub.queues[partition]?.slice(0, this.#hub.checkpoints[partition]) ?? [];
    if (instance === undefined || handled.length === 0) return;
    const first = this.#random.integer(0, handled.length - 1);
    const bodies = handled.slice(first, first + this.#random.integer(1, 3)).map(({ body }) => body);
    this.#count('replays', 1);
    await this.#survive(index, instance, async () => {
      const messages = hubMessages(bodies, first, String(partition));
      await replicate(messages, instance.services, { createMissing: true, replayed: true });
    });
  }

  async #number(
    { services }: Instance,
    reports: readonly { readonly db: string }[],
    before: number,
    deadline: Deadline,
  ): Promise<void> {
    if (!this.#circumstances.withOrder) return;
    const databases = reports.map(({ db }) => db);
    for (const { rows, failure } of await numberRows(services, databases, before, deadline)) {
      this.#count('numbered', rows);
      if (failure !== undefined) throw failure;
    }
  }

  async #survive(index: number, instance: Instance, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return !instance.dead;
    } catch (error) {
      const isOutage = error instanceof OutageError;
      if (isOutage && !instance.dead && this.#circumstances.faults > 0) return false;
      if (!(error instanceof Crash) && !(isOutage && instance.dead)) throw error;
      this.#count('crashes', 1);
      if (this.#instances[index] === instance) this.#replace(index);
      return false;
    }
  }

  /** A new process knows nothing but what is stored. */
  #replace(index: number): void {
    const old = this.#instances[index];
    if (old !== undefined) old.dead = true;
    this.#instances[index] = this.#start();
  }

  #start(): Instance {
    return new Instance(this.#stores, this.#circumstances);
  }

  #tick(): void {
    const wanted = this.#now + this.#random.integer(1, this.#random.chance(0.3) ? 400_000 : 20_000);
    // A message waits for less than the idle time, and the time that sending its transaction takes is part of it.
    if (this.#punctual) this.#hub.sendRest(this.#now);
    // What waits behind a batch that fails is held by its mark, as long as that is renewed.
    const marks = new Map([...this.#storms].filter(([, marked]) => marked !== undefined));
    const renewal = Math.min(...[...marks.values()].map((marked = 0) => marked + FAILING_MARK_MS / 2));
    const latest = Math.min((this.#hub.oldest(marks) ?? wanted) + IDLE_MS / 2, renewal);
    this.#now = this.#punctual ? Math.max(this.#now, Math.min(wanted, latest)) : wanted;
  }

  async #settle(): Promise<void> {
    // Where answers get lost a batch can leave a mark after the last one that goes well.
    this.#now += IDLE_MS + (this.#circumstances.faults > 0 ? FAILING_MARK_MS : 0);
    for (const instance of [0, 1]) this.#replace(instance);
    const calm = new Instance(this.#stores, { ...this.#circumstances, crashes: 0, faults: 0 });
    for (let run = 0; run < 3; run += 1) {
      await this.#moveFrom(calm);
      this.#now += READ_LAG_MS + 1;
    }
  }

  #count(name: string, by: number): void {
    this.counts[name] = (this.counts[name] ?? 0) + by;
  }
}

/** Other things go on while it waits. */
class PausingDeadline extends PatientDeadline {
  readonly #instance: Instance;

  constructor(instance: Instance) {
    super();
    this.#instance = instance;
  }

  override async sleep(milliseconds: number): Promise<void> {
    if (milliseconds >= READ_LAG_MS) await this.#instance.pause();
  }
}
