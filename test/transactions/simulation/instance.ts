import type { Random } from '../../../local/simulation/random.ts';
import { OutageError } from '../../../src/errors/outageError.ts';
import type { FoundGroup } from '../../../src/parking/parking.ts';
import { RecentEvents } from '../../../src/parking/recentEvents.ts';
import type { RowFinder } from '../../../src/replica/rowFinder.ts';
import type { Services } from '../../../src/services.ts';
import { RuleBook } from '../../../src/settings/ruleBook.ts';
import type { ProgressOperation, ProgressOutcome } from '../../../src/transactions/progressStore.ts';
import { Tracking } from '../../../src/transactions/tracking.ts';
import { Watch } from '../../../src/warnings/watch.ts';
import type { MemoryProgress } from '../../support/memoryProgress.ts';
import { MemoryRowFinder } from '../../support/memoryRowFinder.ts';
import { type TestServices, testSettings } from '../../support/testServices.ts';
import { EXCLUDED_TABLE } from './history.ts';

/** The process is gone. */
export class Crash extends Error {}

export interface Stores
  extends Pick<TestServices, 'store' | 'largeValues' | 'parking' | 'deadLetters' | 'telemetry'> {
  readonly progress: MemoryProgress;
}

export const IDLE_MS = 120_000;
export const rules = new RuleBook({ tables: { [`*.dbo.${EXCLUDED_TABLE}`]: { include: false } } });

/**
 * One process of the app on stores that outlive it. It can die at every call of a store, before or after the call is
 * done, and with it all that it does at the same time.
 */
export class Instance {
  dead = false;
  /** Batches fail as long as it is set, and the process lives. */
  outage = false;
  readonly services: Services & { readonly tracking: Tracking; readonly finder: RowFinder };
  readonly #random: Random;
  readonly #crashes: number;

  /**
   * @param told HUB_PARTITIONS.
   * @param crashes chance of each call.
   */
  constructor(
    stores: Stores,
    { told, withOrder }: { readonly told: number; readonly withOrder: boolean },
    now: () => number,
    random: Random,
    crashes: number,
  ) {
    this.#random = random;
    this.#crashes = crashes;
    const finder = new MemoryRowFinder(stores.store);
    this.services = {
      ready: async () => {},
      store: this.#mortal(stores.store, true),
      largeValues: stores.largeValues,
      parking: this.#mortal(stores.parking, true),
      deadLetters: this.#mortal(stores.deadLetters, true),
      recentEvents: new RecentEvents(random.pick([1, 1000])),
      settings: { ...testSettings, rules },
      watch: new Watch(),
      telemetry: stores.telemetry,
      tracking: new Tracking(
        this.#oneByOne(stores.progress),
        { partitions: told, idleMs: IDLE_MS, withOrder, ttlSeconds: 1000 },
        now,
      ),
      finder: {
        containers: finder.containers,
        find: (container, db, ranges) => this.#listed(() => finder.find(container, db, ranges)),
      },
    };
  }

  /** @param fails in an outage. */
  #mortal<Store extends object>(store: Store, fails = false): Store {
    const call = (work: () => Promise<unknown>): Promise<unknown> => {
      if (fails && this.outage) throw new OutageError('no answer');
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

  /** A bulk request is done in any order, and others come in between. */
  #oneByOne(progress: MemoryProgress): MemoryProgress {
    const mortal = this.#mortal(progress);
    const execute = async (operations: readonly ProgressOperation[]): Promise<readonly ProgressOutcome[]> => {
      const outcomes: ProgressOutcome[] = [];
      const order = [...operations.keys()];
      if (this.#random.chance(0.5)) order.reverse();
      for (const index of order) {
        const operation = operations[index];
        if (operation === undefined) continue;
        const [outcome] = await mortal.execute([operation]);
        outcomes[index] = outcome ?? { kind: 'unknown', reason: 'no answer' };
      }
      return outcomes;
    };
    return new Proxy(mortal, {
      get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
    });
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
