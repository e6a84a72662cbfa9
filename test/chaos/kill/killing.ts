import { type ChildProcess, fork } from 'node:child_process';
import { FunctionsHost } from '../../../local/host/functionsHost.ts';
import type { HubMessage } from '../../../local/hubMessage.ts';
import { startLocalServers } from '../../../local/run/localServers.ts';
import type { SimulationOptions } from '../../../local/simulation/options.ts';
import { Random } from '../../../local/simulation/random.ts';
import { simulate } from '../../../local/simulation/simulate.ts';
import type { Fault } from '../fault.ts';
import { FaultyProxy } from '../faultyProxy.ts';
import { problemsOf } from '../outcome.ts';
import { partitionStreams } from '../partitionStreams.ts';
import { sweepParked } from '../sweepParked.ts';
import type { Ask, Give } from './protocol.ts';

/** When the process is killed. */
export type KillWhen =
  /** So long after it took its first batch. */
  | { readonly kind: 'time'; readonly milliseconds: number }
  /** At its n-th request to a server, n from 1 to `most`; half of these requests are still done. */
  | { readonly kind: 'request'; readonly most: number };

export interface Killing {
  readonly problems: readonly string[];
  readonly messages: number;
  readonly kills: number;
  /** Messages handed over again because a process died before its checkpoint. */
  readonly redelivered: number;
  /** Parked segments when the stream had ended: a sweep has to find them. */
  readonly leftovers: number;
}

const bundle = new URL('../../../dist/index.cjs', import.meta.url).pathname;
const consumer = new URL('consumer.ts', import.meta.url);

/** Plays a simulated stream through processes that are killed one after the other, until all of it is done. */
export async function runKilling(
  options: SimulationOptions,
  when: KillWhen,
  mostKills: number,
  onDeath: (kills: number, done: number) => void = () => {},
): Promise<Killing> {
  const servers = await startLocalServers(false);
  const { batches, tables } = simulate(options);
  const life = new Life(partitionStreams(batches), options, when, mostKills);
  const cosmos = await FaultyProxy.start(servers.cosmos.endpoint, () => life.request());
  const blob = await FaultyProxy.start(servers.blob.endpoint, () => life.request());
  const environment = { ...servers.environment, COSMOS_ENDPOINT: cosmos.origin };
  const connection = servers.settings.BLOB_CONNECTION_STRING;
  const origin = new URL(servers.blob.endpoint).origin;
  try {
    const proxied = { ...environment, BLOB_CONNECTION_STRING: connection.replace(origin, blob.origin) };
    const endings: string[] = [];
    while (!life.over && endings.length === 0) {
      endings.push(...(await life.live(proxied)));
      onDeath(life.kills, life.done);
    }
    await Promise.all([cosmos.idle(), blob.idle()]);
    const leftovers = await sweepParked(servers, () =>
      FunctionsHost.load({ bundle, environment: servers.environment }),
    );
    const problems = [...endings, ...(await problemsOf(servers, tables, life.messages))];
    return {
      problems,
      messages: life.messages.length,
      kills: life.kills,
      redelivered: life.redelivered,
      leftovers,
    };
  } finally {
    await Promise.all([cosmos.close(), blob.close()]);
    await servers.close();
  }
}

/** The stream, how far it has been done, and the process that is at it. */
class Life {
  kills = 0;
  redelivered = 0;
  readonly messages: readonly HubMessage[];
  readonly #streams: ReadonlyMap<string, readonly HubMessage[]>;
  readonly #checkpoints: Map<string, number>;
  /** Ends of the batches handed over so far. */
  readonly #handedOver: Map<string, number>;
  readonly #batchSize: number;
  readonly #random: Random;
  readonly #when: KillWhen;
  readonly #mostKills: number;
  #child: ChildProcess | undefined;
  #requestsLeft = Number.POSITIVE_INFINITY;

  constructor(
    streams: ReadonlyMap<string, readonly HubMessage[]>,
    { seed, batchSize }: SimulationOptions,
    when: KillWhen,
    mostKills: number,
  ) {
    this.messages = [...streams.values()].flat();
    this.#streams = streams;
    this.#checkpoints = new Map([...streams.keys()].map((partitionId) => [partitionId, 0]));
    this.#handedOver = new Map(this.#checkpoints);
    this.#batchSize = batchSize;
    this.#random = new Random(seed, 'kills');
    this.#when = when;
    this.#mostKills = mostKills;
  }

  /** Messages before the checkpoints. */
  get done(): number {
    return this.#checkpoints.values().reduce((sum, checkpoint) => sum + checkpoint, 0);
  }

  get over(): boolean {
    return this.done === this.messages.length;
  }

  /** One process, until it is killed or the stream is done. @returns what is wrong with its end. */
  async live(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const child = fork(consumer, [bundle, ...this.#streams.keys()], {
      env: { ...process.env, ...environment },
      serialization: 'advanced',
    });
    this.#child = child;
    const spared = this.kills >= this.#mostKills;
    const byRequest = this.#when.kind === 'request' && !spared;
    this.#requestsLeft = byRequest ? this.#random.integer(1, this.#when.most) : Number.POSITIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    child.on('message', (message) => {
      // A killed process may have asked before; nobody is there for the answer.
      if (!child.connected) return;
      child.send(this.#answer(message as Ask));
      if (this.#when.kind === 'time' && !spared) {
        timer ??= setTimeout(() => this.#kill(), this.#when.milliseconds);
      }
    });
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(code === 0 || signal === 'SIGKILL' ? [] : [`a process ended with ${signal ?? code}`]);
    });
    return promise;
  }

  /** Told of each request of the process, and of none after its end. */
  request(): Fault | undefined {
    this.#requestsLeft -= 1;
    if (this.#requestsLeft > 0) return undefined;
    this.#requestsLeft = Number.POSITIVE_INFINITY;
    this.#kill();
    return { kind: this.#random.chance(0.5) ? 'cutBefore' : 'cutAfter' };
  }

  #kill(): void {
    if (this.#child?.kill('SIGKILL')) this.kills += 1;
  }

  #answer({ partitionId, checkpoint = this.#checkpoints.get(partitionId) ?? 0 }: Ask): Give {
    this.#checkpoints.set(partitionId, checkpoint);
    const size = this.#random.integer(1, this.#batchSize);
    const messages = (this.#streams.get(partitionId) ?? []).slice(checkpoint, checkpoint + size);
    const before = this.#handedOver.get(partitionId) ?? 0;
    const end = checkpoint + messages.length;
    this.redelivered += Math.max(0, Math.min(before, end) - checkpoint);
    this.#handedOver.set(partitionId, Math.max(before, end));
    return { partitionId, checkpoint, messages };
  }
}
