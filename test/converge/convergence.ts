import { FunctionsHost } from '../../local/host/functionsHost.ts';
import type { HubBatch } from '../../local/hubMessage.ts';
import { compareWithOracle } from '../../local/run/compareWithOracle.ts';
import { feed } from '../../local/run/feed.ts';
import { FunctionLog, type Totals } from '../../local/run/functionLog.ts';
import { type LocalServers, startLocalServers } from '../../local/run/localServers.ts';
import { readReplica } from '../../local/run/readReplica.ts';
import { keyChoices } from '../../local/simulation/keyChoices.ts';
import { defaultSimulationOptions, type SimulationOptions } from '../../local/simulation/options.ts';
import { Random } from '../../local/simulation/random.ts';
import { simulate } from '../../local/simulation/simulate.ts';
import { emptyReplica } from '../support/emptyReplica.ts';
import { randomOptions, smallItems } from './randomOptions.ts';

const bundle = new URL('../../dist/index.cjs', import.meta.url).pathname;

/** What is wrong after a run; nothing when it converged. */
export type Problems = readonly string[];

/**
 * Embedded servers and two instances of the function, which share them as two workers in Azure would; two more know
 * the keys of the tables, which messages of Debezium do not tell.
 */
export class Convergence {
  readonly #servers: LocalServers;
  readonly #instances: Instances;
  #log: FunctionLog;

  private constructor(servers: LocalServers, instances: Instances, log: FunctionLog) {
    this.#servers = servers;
    this.#instances = instances;
    this.#log = log;
  }

  static async start(): Promise<Convergence> {
    const servers = await startLocalServers(false);
    const instances: Record<keyof Instances, FunctionsHost[]> = { plain: [], keyed: [] };
    const convergence = new Convergence(servers, instances, new FunctionLog());
    const log = (entry: Parameters<FunctionLog['take']>[0]): void => convergence.#log.take(entry);
    for (const [kind, REPLICA_CONFIG] of [
      ['plain', smallItems],
      ['keyed', withKeys(smallItems)],
    ] as const) {
      const environment = { ...servers.environment, REPLICA_CONFIG };
      for (let count = 0; count < 2; count += 1)
        instances[kind].push(await FunctionsHost.load({ bundle, environment, log }));
    }
    return convergence;
  }

  /**
   * Runs the simulated history of a seed: batches go to either instance, some to both at once, as when the
   * ownership of a partition moves. Some seeds are then delivered a second time.
   */
  async run(seed: number): Promise<Problems> {
    await emptyReplica(this.#servers);
    this.#log = new FunctionLog();
    const options = { ...randomOptions(seed), format: formatOf(seed) };
    const { batches, tables } = simulate(options);
    const instances = options.format === 'ces' ? this.#instances.plain : this.#instances.keyed;
    const random = new Random(seed, 'instances');
    const deliver = async (batch: HubBatch): Promise<void> => {
      const chosen = random.chance(0.2) ? instances : [random.pick(instances)];
      await Promise.all(chosen.map((instance) => deliverTo(instance, batch)));
    };
    await feed(batches, deliver, 'perPartition');
    const first = this.#log.totals();
    const { differences } = compareWithOracle(tables, await readReplica(this.#servers));
    const again = random.chance(AGAIN);
    if (again) await feed(batches, deliver, 'perPartition');
    return [...differences, ...booksOf(first), ...writesAfter(first, this.#log.totals())];
  }

  async close(): Promise<void> {
    const { plain, keyed } = this.#instances;
    await Promise.all([...plain, ...keyed].map((instance) => instance.dispose()));
    await this.#servers.close();
  }
}

interface Instances {
  readonly plain: readonly FunctionsHost[];
  readonly keyed: readonly FunctionsHost[];
}

/** Most histories are told by CES alone. */
function formatOf(seed: number): SimulationOptions['format'] {
  return new Random(seed, 'format').pick(['ces', 'ces', 'debezium', 'mixed']);
}

function withKeys(config: string): string {
  const { tables } = simulate({ ...defaultSimulationOptions, changes: 0, largeValueBytes: 1 });
  return JSON.stringify({
    tables: { ...JSON.parse(keyChoices(tables)).tables, ...JSON.parse(config).tables },
  });
}

/** A connection that is lost on a busy machine fails a batch, which then comes again as in Azure. */
const MAX_ATTEMPTS = 3;

async function deliverTo(instance: FunctionsHost, batch: HubBatch): Promise<void> {
  const delivery = await instance.deliver('replicate', batch, { maxAttempts: MAX_ATTEMPTS });
  if (delivery.outcome !== 'succeeded') throw delivery.error;
}

/** Share of the seeds that are delivered a second time. */
const AGAIN = 0.25;

function booksOf(totals: Totals): Problems {
  const { messages, applied, superseded, excluded, parked, deadLettered } = totals;
  return [
    ...(applied + superseded + excluded + parked + deadLettered === messages
      ? []
      : ['a message is not accounted for']),
    ...(deadLettered === 0 ? [] : [`${deadLettered} messages of a sound history were dead-lettered`]),
    ...(totals.unparsedValues === 0 ? [] : [`${totals.unparsedValues} values did not parse as their type`]),
  ];
}

function writesAfter(first: Totals, both: Totals): Problems {
  const writes = both.writes - first.writes;
  return writes === 0 ? [] : [`delivering everything again wrote ${writes} times`];
}
