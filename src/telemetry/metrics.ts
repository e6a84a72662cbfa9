/**
 * Every metric that the app emits, with its unit (UCUM) and meaning; alerts and workbooks are made from this list.
 * `dimensions` are the attributes that come with each value; `table` is `database.schema.table`, or `unknown` for
 * messages that do not tell; `partition` is the hub's, or `unknown` where the host does not tell.
 */
export const metrics = {
  'replica.received': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table'],
    meaning: 'Messages received; each is applied, superseded, excluded, parked or dead-lettered.',
  },
  'replica.applied': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table'],
    meaning: 'Messages of events that changed the replica.',
  },
  'replica.superseded': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table'],
    meaning: 'Messages that said nothing new: copies, and changes older than what the replica had.',
  },
  'replica.excluded': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table'],
    meaning: 'Messages that REPLICA_CONFIG leaves out.',
  },
  'replica.parked': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table'],
    meaning: 'Messages put into the parking container, to wait for the other segments of their event.',
  },
  'replica.dead_lettered': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table', 'reason'],
    meaning: 'Messages put aside, by reason code; segments that had been parked before are included.',
  },
  'replica.released': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['table'],
    meaning: 'Messages that had been parked by earlier batches and whose event has ended now.',
  },
  'replica.unparsed_values': {
    kind: 'counter',
    unit: '{value}',
    dimensions: ['table'],
    meaning: "Values that are not of their column's type and were kept as text.",
  },
  'replica.unknown_columns': {
    kind: 'counter',
    unit: '{column}',
    dimensions: ['table'],
    meaning: 'Columns that stay unknown in a row that moved to another key.',
  },
  'replica.request_charge': {
    kind: 'counter',
    unit: '{request_unit}',
    dimensions: [],
    meaning: 'Request units that Cosmos DB charged for reading and writing rows.',
  },
  'replica.large_values': {
    kind: 'counter',
    unit: '{value}',
    dimensions: [],
    meaning: 'Values put into Blob storage because their row does not fit into an item.',
  },
  'replica.large_values_removed': {
    kind: 'counter',
    unit: '{value}',
    dimensions: [],
    meaning: 'Values removed from Blob storage because no item refers to them any more.',
  },
  'replica.warnings': {
    kind: 'counter',
    unit: '{warning}',
    dimensions: ['code'],
    meaning: 'Warnings logged, by code.',
  },
  'replica.lag': {
    kind: 'histogram',
    unit: 's',
    dimensions: ['table', 'partition'],
    meaning: 'Time from the commit at the source to the replica, of the oldest change that a batch applied.',
  },
  'replica.batch_duration': {
    kind: 'histogram',
    unit: 's',
    dimensions: ['outcome', 'partition'],
    meaning: 'Time a batch took; outcome is done, or failed for a batch that comes again.',
  },
  'replica.sweep_duration': {
    kind: 'histogram',
    unit: 's',
    dimensions: ['outcome'],
    meaning: 'Time a sweep took; outcome is done or failed. One every five minutes, whatever the sources do.',
  },
  'replica.parked_groups': {
    kind: 'gauge',
    unit: '{event}',
    dimensions: [],
    meaning: 'Events of which some segments wait in the parking container.',
  },
  'replica.parked_oldest_age': {
    kind: 'gauge',
    unit: 's',
    dimensions: [],
    meaning: 'How long the event that was parked first has waited; 0 when none waits.',
  },
  'replica.watermark_time': {
    kind: 'gauge',
    unit: 's',
    dimensions: ['database'],
    meaning:
      'Commit time up to which the replica is complete, in seconds since 1970; its LSN is in the log and in the item of the watermark. Only with TRANSACTIONS on.',
  },
  'replica.watermark_lag': {
    kind: 'gauge',
    unit: 's',
    dimensions: ['database'],
    meaning:
      'Time since the commit of the oldest transaction that has not ended; 0 when all have. Only with TRANSACTIONS on.',
  },
  'replica.open_transactions': {
    kind: 'gauge',
    unit: '{transaction}',
    dimensions: ['database'],
    meaning: 'Transactions that have not ended. Only with TRANSACTIONS on.',
  },
  'replica.late_changes': {
    kind: 'counter',
    unit: '{change}',
    dimensions: ['database'],
    meaning: 'Changes that came after the end of their transaction, which was counted anew.',
  },
  'replica.missing_changes': {
    kind: 'counter',
    unit: '{change}',
    dimensions: ['database'],
    meaning:
      'Numbers that are missing in ended transactions: changes of tables outside the stream group, mostly.',
  },
  'replica.boundaries_sent': {
    kind: 'counter',
    unit: '{message}',
    dimensions: ['database'],
    meaning: 'BEGIN and END messages that the event hub has taken. Only with TRANSACTION_EVENTS_HUB.',
  },
  'replica.boundaries_lag': {
    kind: 'gauge',
    unit: 's',
    dimensions: ['database'],
    meaning:
      'How long the BEGIN or END that has waited longest is not known to be sent; 0 when none waits. Only with TRANSACTION_EVENTS_HUB.',
  },
} as const satisfies Record<string, Metric>;

interface Metric {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly unit: string;
  readonly dimensions: readonly string[];
  readonly meaning: string;
}

export type MetricName = keyof typeof metrics;

/** The names of metrics of one kind. */
export type MetricOf<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof metrics)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];

/** The attributes of a metric: one text for each of its dimensions. */
export type DimensionsOf<Name extends MetricName> = Readonly<
  Record<(typeof metrics)[Name]['dimensions'][number], string>
>;
