import { FunctionsHost } from '../../local/host/functionsHost.ts';
import { FunctionLog } from '../../local/run/functionLog.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { Random } from '../../local/simulation/random.ts';
import { simulate } from '../../local/simulation/simulate.ts';
import { randomOptions, smallItems } from '../converge/randomOptions.ts';
import { emptyReplica } from '../support/emptyReplica.ts';
import { type Consumed, consumePartition } from './consumePartition.ts';
import { FaultyProxy } from './faultyProxy.ts';
import { problemsOf } from './outcome.ts';
import { countLargeValues, emptyBlobs } from './parkedLeft.ts';
import { partitionStreams } from './partitionStreams.ts';
import { blobRequestKind, cosmosRequestKind } from './requestKind.ts';
import { sweepParked } from './sweepParked.ts';
import { randomClimate, Weather } from './weather.ts';

/** What became of one schedule of faults. */
export interface ChaosResult {
  /** What is wrong; nothing when the replica converged and every message is accounted for. */
  readonly problems: readonly string[];
  readonly counts: ChaosCounts;
}

export interface ChaosCounts {
  /** Faults, by kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly redeliveries: number;
  readonly overlaps: number;
  readonly lostCheckpoints: number;
  /** Parked segments when the stream had ended: a sweep has to find them. */
  readonly leftovers: number;
  /** Values in Blob storage in the end, those of items before their last change included. */
  readonly largeValues: number;
}

const bundle = new URL('../../dist/index.cjs', import.meta.url).pathname;
const INSTANCES = 2;
/** Attempts of a batch beyond one for each fault of the run. */
const SPARE_ATTEMPTS = 10;

/** Embedded servers behind proxies that fail, and instances of the function that know the proxies only. */
export class Chaos {
  readonly #servers: LocalServers;
  readonly #proxies: readonly FaultyProxy[];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #sky: Sky;

  private constructor(servers: LocalServers, cosmos: FaultyProxy, blob: FaultyProxy, sky: Sky) {
    this.#servers = servers;
    this.#proxies = [cosmos, blob];
    this.#environment = {
      ...servers.environment,
      REPLICA_CONFIG: smallItems,
      COSMOS_ENDPOINT: cosmos.origin,
      BLOB_CONNECTION_STRING: servers.settings.BLOB_CONNECTION_STRING.replace(
        new URL(servers.blob.endpoint).origin,
        blob.origin,
      ),
    };
    this.#sky = sky;
  }

  static async start(): Promise<Chaos> {
    const servers = await startLocalServers(false);
    const sky: Sky = { weather: undefined };
    const cosmos = await FaultyProxy.start(servers.cosmos.endpoint, (incoming) =>
      sky.weather?.next(cosmosRequestKind(incoming)),
    );
    const blob = await FaultyProxy.start(servers.blob.endpoint, (incoming) =>
      sky.weather?.next(blobRequestKind(incoming)),
    );
    return new Chaos(servers, cosmos, blob, sky);
  }

  /** Runs the simulated history of a seed under the faults of the same seed. */
  async run(seed: number): Promise<ChaosResult> {
    await Promise.all([emptyReplica(this.#servers), emptyBlobs(this.#servers)]);
    const options = randomOptions(seed);
    const { batches, tables } = simulate(options);
    const climate = randomClimate(seed);
    const weather = new Weather(seed, climate);
    const log = new FunctionLog();
    const streams = partitionStreams(batches);
    const instances = await Promise.all(Array.from({ length: INSTANCES }, () => this.#load(log)));
    this.#sky.weather = weather;
    const consumed = await Promise.all(
      [...streams].map(([partitionId, messages]) =>
        consumePartition({
          partitionId,
          messages,
          instances,
          batchSize: options.batchSize,
          maxAttempts: climate.faults + SPARE_ATTEMPTS,
          random: new Random(seed, `partition ${partitionId}`),
        }),
      ),
    );
    this.#sky.weather = undefined;
    await Promise.all(this.#proxies.map((proxy) => proxy.idle()));
    await Promise.all(instances.map((instance) => instance.dispose()));
    const leftovers = await sweepParked(this.#servers, () => this.#load(log));
    const wrong = await problemsOf(this.#servers, tables, [...streams.values()].flat());
    return {
      problems: [...consumed.flatMap(({ problems }) => problems), ...wrong, ...booksOf(log)],
      counts: {
        faults: Object.fromEntries(weather.counts),
        redeliveries: sum(consumed, 'redeliveries'),
        overlaps: sum(consumed, 'overlaps'),
        lostCheckpoints: sum(consumed, 'lostCheckpoints'),
        leftovers,
        largeValues: await countLargeValues(this.#servers),
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
    await this.#servers.close();
  }

  #load(log: FunctionLog): Promise<FunctionsHost> {
    return FunctionsHost.load({
      bundle,
      environment: this.#environment,
      log: (entry) => log.take(entry),
    });
  }
}

/** What the proxies look up to; clear where there is no weather. */
interface Sky {
  weather: Weather | undefined;
}

function sum(consumed: readonly Consumed[], count: 'redeliveries' | 'overlaps' | 'lostCheckpoints'): number {
  return consumed.reduce((total, one) => total + one[count], 0);
}

function booksOf(log: FunctionLog): readonly string[] {
  const { messages, applied, superseded, parked, deadLettered, unparsedValues } = log.totals();
  return [
    ...(applied + superseded + parked + deadLettered === messages ? [] : ['a message is not accounted for']),
    ...(unparsedValues === 0 ? [] : [`${unparsedValues} values did not parse as their type`]),
  ];
}
