import type { HubBatch } from '../hubMessage.ts';
import { handOver } from './batches.ts';
import { type History, makeHistory } from './history.ts';
import { checkSimulationOptions, type SimulationOptions } from './options.ts';
import { type OracleTable, oracleTable } from './oracle.ts';
import { outgoingMessages } from './outgoing.ts';
import { fillPartitions } from './partitions.ts';
import { Random } from './random.ts';
import type { Operation } from './rowChanges.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { producerSends } from './sends.ts';

/** A simulated SQL Server: what it sent, how it arrived, and what its tables hold in the end. */
export interface Simulation {
  /** In the order of delivery. Redeliveries hold the same message objects again. */
  readonly batches: readonly HubBatch[];
  /** What a replica must hold once all batches are handled. */
  readonly tables: readonly OracleTable[];
  readonly statistics: SimulationStatistics;
}

export interface SimulationStatistics {
  /** Events. */
  readonly changes: number;
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  /** Changes of a primary key, however they are told. */
  readonly keyChanges: number;
  readonly transactions: number;
  /** Messages handed over, every delivery counted. */
  readonly messages: number;
  /** Events with more than one segment. */
  readonly splitEvents: number;
  /** Messages sent again or handed over again; without them `messages` would be smaller by this. */
  readonly duplicates: number;
}

/** Simulates everything from the seed. Throws a RangeError for options out of range. */
export function simulate(options: SimulationOptions): Simulation {
  checkSimulationOptions(options);
  const history = makeHistory(options);
  const formRandom = new Random(options.seed, 'form');
  const ofEvent = new Map(history.events.map((event) => [event, segmentsOf(event, options, formRandom)]));
  const outgoing = outgoingMessages(history.events, ofEvent, options);

  const hubRandom = new Random(options.seed, 'hub');
  const { sends, resent } = producerSends(outgoing, options, hubRandom);
  const { batches, redelivered } = handOver(fillPartitions(sends, options, hubRandom), options, hubRandom);
  return {
    batches,
    tables: history.tables.map(oracleTable),
    statistics: statisticsOf(history, splitEvents(ofEvent, options), sends.length, resent, redelivered),
  };
}

/** Only CES splits events. */
function splitEvents(
  ofEvent: ReadonlyMap<unknown, readonly Segment[]>,
  { format }: SimulationOptions,
): number {
  return format === 'debezium' ? 0 : [...ofEvent.values()].filter(({ length }) => length > 1).length;
}

function statisticsOf(
  history: History,
  split: number,
  sent: number,
  resent: number,
  redelivered: number,
): SimulationStatistics {
  const made = (operation: Operation): number =>
    history.events.filter((event) => event.operation === operation).length;
  return {
    changes: history.events.length,
    inserts: made('INS'),
    updates: made('UPD'),
    deletes: made('DEL'),
    keyChanges: history.keyChanges,
    transactions: history.transactions,
    messages: sent + redelivered,
    splitEvents: split,
    duplicates: resent + redelivered,
  };
}
