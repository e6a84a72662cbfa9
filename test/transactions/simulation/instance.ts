import type { Random } from '../../../local/simulation/random.ts';
import { OutageError } from '../../../src/errors/outageError.ts';
import type { FoundGroup } from '../../../src/parking/parking.ts';
import { RecentEvents } from '../../../src/parking/recentEvents.ts';
import type { RowFinder } from '../../../src/replica/rowFinder.ts';
import type { Services } from '../../../src/services.ts';
import { RuleBook } from '../../../src/settings/ruleBook.ts';
import { PartitionItems } from '../../../src/transactions/partitionItems.ts';
import type { FailingBatch } from '../../../src/transactions/partitionProgress.ts';
import type {
  ProgressOperation,
  ProgressOutcome,
  ProgressStore,
} from '../../../src/transactions/progressStore.ts';
import { type Recording, Tracking } from '../../../src/transactions/tracking.ts';
import { Watch } from '../../../src/warnings/watch.ts';
import type { MemoryProgress } from '../../support/memoryProgress.ts';
import { MemoryRowFinder } from '../../support/memoryRowFinder.ts';
import { PatientDeadline } from '../../support/patientDeadline.ts';
import { type TestServices, testSettings } from '../../support/testServices.ts';
import { EXCLUDED_TABLE } from './history.ts';
import { LaggingProgress, type Versions } from './laggingProgress.ts';

/** The process is gone. */
export class Crash extends Error {}

export interface Stores
  extends Pick<TestServices, 'store' | 'largeValues' | 'parking' | 'deadLetters' | 'telemetry'> {
  readonly progress: MemoryProgress;
  readonly versions: Versions;
}

export interface Circumstances {
  /** HUB_PARTITIONS. */
  readonly told: number;
  readonly now: () => number;
  readonly random: Random;
  readonly withOrder: boolean;
  /** Chance of each call that the process dies. */
  readonly crashes: number;
  /** Chance of each operation of tracking that it is throttled, or that its answer is lost. */
  readonly faults: number;
}

export const IDLE_MS = 120_000;
export const rules = new RuleBook({ tables: { [`*.dbo.${EXCLUDED_TABLE}`]: { include: false } } });

/**
 * One process of the app on stores that outlive it. It can die at every call of a store, before or after the call is
 * done, and with it all that it does at the same time.
 */
export class Instance {
  dead = false;
  /** Batches fail as long as it is set, and the process lives: of Cosmos DB alone, or also of Blob storage. */
  outage: 'rows' | 'all' | undefined;
  readonly services: Services & { readonly tracking: Tracking; readonly finder: RowFinder };
  readonly #random: Random;
  readonly #crashes: number;
  readonly #faults: number;
  readonly #versions: Versions;
  readonly #sight: LaggingProgress;

  constructor(stores: Stores, { told, withOrder, now, random, crashes, faults }: Circumstances) {
    this.#random = random;
    this.#crashes = crashes;
    this.#faults = faults;
    this.#versions = stores.versions;
    this.#sight = new LaggingProgress(stores.progress, stores.versions, random);
    const finder = new MemoryRowFinder(stores.store);
    this.services = {
      ready: async () => {},
      store: this.#mortal(stores.store, ['rows', 'all']),
      largeValues: stores.largeValues,
      parking: this.#mortal(stores.parking, ['all']),
      deadLetters: this.#mortal(stores.deadLetters, ['all']),
      recentEvents: new RecentEvents(random.pick([1, 1000])),
      settings: { ...testSettings, rules },
      watch: new Watch(),
      telemetry: stores.telemetry,
      tracking: new HurriedTracking(
        this.#oneByOne(this.#sight),
        { partitions: told, idleMs: IDLE_MS, withOrder, ttlSeconds: 1000 },
        now,
      ),
      finder: {
        containers: finder.containers,
        find: (container, db, ranges) => this.#listed(() => finder.find(container, db, ranges)),
      },
    };
  }

  /** On the same stores, and with nothing known yet. */
  anotherTracking(): Tracking {
    const { store, options, now } = this.services.tracking;
    return new HurriedTracking(store, options, now);
  }

  /** Others go on meanwhile, and what they had written before can be read. */
  async pause(): Promise<void> {
    const { count } = this.#versions;
    await this.#turn();
    this.#sight.hasSeen(count);
  }

  /** @param fails in which outages. */
  #mortal<Store extends object>(store: Store, fails: readonly Instance['outage'][] = []): Store {
    const call = (work: () => Promise<unknown>): Promise<unknown> => {
      if (this.outage !== undefined && fails.includes(this.outage)) throw new OutageError('no answer');
      return this.#call(work);
    };
    const listed = this.#listed.bind(this);
    return new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (name === 'groups') return () => listed(() => member.apply(target) as AsyncIterable<FoundGroup>);
        return (...args: unknown[]) => call(() => member.apply(target, args) as Promise<unknown>);
      },
      set: () => true,
    });
  }

  /** A bulk request is done in any order, others come in between, and answers get lost. */
  #oneByOne(progress: ProgressStore): ProgressStore {
    const mortal = this.#mortal(progress);
    const { signal } = new AbortController();
    const answered = async (operation: ProgressOperation): Promise<ProgressOutcome> => {
      const fault = this.#random.chance(this.#faults) ? this.#random.pick(['before', 'after', '429']) : '';
      if (fault === '429') return { kind: 'throttled', retryAfterMs: 1 };
      if (fault === 'before') return unanswered;
      const [outcome = unanswered] = await mortal.execute([operation], signal);
      return fault === 'after' ? unanswered : outcome;
    };
    const query = async <Found>(found: Promise<Found>): Promise<Found> => {
      const result = await found;
      if (this.#random.chance(this.#faults)) throw new OutageError('no answer');
      return result;
    };
    return {
      execute: async (operations) => {
        const outcomes: ProgressOutcome[] = [];
        const order = [...operations.keys()];
        if (this.#random.chance(0.5)) order.reverse();
        for (const index of order) {
          const operation = operations[index];
          if (operation !== undefined) outcomes[index] = await answered(operation);
        }
        return outcomes;
      },
      open: (...args) => query(mortal.open(...args)),
      databases: (...args) => query(mortal.databases(...args)),
      unsent: (...args) => query(mortal.unsent(...args)),
      unnumbered: (...args) => query(mortal.unnumbered(...args)),
      carrying: (...args) => query(mortal.carrying(...args)),
    };
  }

  async #call(work: () => Promise<unknown>): Promise<unknown> {
    await this.#turn();
    const dies = this.#random.chance(this.#crashes);
    if (this.dead || (dies && this.#random.chance(0.5))) this.#die();
    const result = await work();
    await this.#turn();
    if (this.dead || dies) this.#die();
    return result;
  }

  async *#listed<Found>(list: () => AsyncIterable<Found>): AsyncGenerator<Found> {
    for await (const found of list()) {
      await this.#call(async () => undefined);
      yield found;
    }
  }

  /** Lets others go first, sometimes for long. */
  async #turn(): Promise<void> {
    for (let turns = this.#random.integer(0, this.#random.chance(0.1) ? 400 : 6); turns > 0; turns -= 1)
      await undefined;
  }

  #die(): never {
    this.dead = true;
    throw new Crash('the process is gone');
  }
}

const unanswered: ProgressOutcome = { kind: 'unknown', reason: 'no answer' };

/** Waits for nothing before it tries again. */
class HurriedTracking extends Tracking {
  override readonly partitions = new HurriedPartitions(this.store, this.options.partitions);

  override async record(recording: Recording): Promise<void> {
    const deadline = new PatientDeadline();
    await super.record(recording, deadline).finally(() => deadline.end());
  }
}

class HurriedPartitions extends PartitionItems {
  override async markFailing(partition: string, failing: FailingBatch): Promise<void> {
    const deadline = new PatientDeadline();
    await super.markFailing(partition, failing, deadline).finally(() => deadline.end());
  }
}
