import type { SimulationStatistics } from '../simulation/simulate.ts';
import type { Comparison } from './compareWithOracle.ts';
import type { Totals } from './functionLog.ts';
import type { Summary, TableCount, TransactionCounts } from './summary.ts';
import { textTable } from './textTable.ts';

/** Tables whose rows are counted one by one. */
const MAX_TABLES = 20;

/** What happened, for people, one text a line. */
export function summaryLines(summary: Summary): string[] {
  return ['', ...labelled(countsOf(summary)), '', ...tableLines(summary.tables)];
}

/** What the function logged and whether the replica is right: what should be seen last. */
export function verdictLines({ log, comparison, notCompared, placeholderSalt }: Summary): string[] {
  return [
    ...logLines(log),
    ...(placeholderSalt === true
      ? ['', 'MASK_SALT is not set: hashed values are made with a placeholder.']
      : []),
    ...(notCompared === undefined
      ? []
      : ['', `Not compared, since the configuration changes them: ${notCompared.join(', ')}`]),
    ...(comparison === undefined ? [] : ['', ...comparisonLines(comparison)]),
  ];
}

type Line = readonly [label: string, value: string, note: string];

function countsOf({
  totals,
  transactions,
  redeliveries,
  blobs,
  requests,
  milliseconds,
  simulation,
}: Summary): Line[] {
  const again =
    redeliveries === 0
      ? ''
      : `, and ${counted(redeliveries, 'delivery', 'deliveries')} again after a failure`;
  const left =
    blobs.parkedEvents === 0
      ? 'nothing is left parked'
      : `${counted(blobs.parkedSegments, 'segment')} of ${counted(blobs.parkedEvents, 'event')} left parked`;
  const reasons = Object.entries(blobs.reasons).map(([reason, number]) => `${reason} ${count(number)}`);
  return [
    ...(simulation === undefined ? [] : [simulationLine(simulation)]),
    ['Messages', count(totals.messages), `in ${counted(totals.batches, 'batch', 'batches')}${again}`],
    ['  applied', count(totals.applied), ''],
    ['  superseded', count(totals.superseded), 'duplicates, and changes older than what was there'],
    ...(totals.excluded === 0
      ? []
      : [
          [
            '  excluded',
            count(totals.excluded),
            'left out by the configuration, or no change of a row',
          ] as const,
        ]),
    ['  parked', count(totals.parked), `segments that came before the rest of their event; ${left}`],
    ['  dead-lettered', count(totals.deadLettered), reasons.join(', ')],
    ['Changes', count(totals.changes), 'in them, duplicates included'],
    ...(transactions === undefined ? [] : transactionLines(transactions)),
    ...notesOf(totals),
    [
      'Cosmos DB',
      count(requests.cosmos),
      `requests with ${counted(totals.reads, 'read')} and ${counted(totals.writes, 'write')}`,
    ],
    ['Blob storage', count(requests.blob), 'requests'],
    ['Time', (milliseconds / 1000).toFixed(1), 'seconds'],
  ];
}

function transactionLines({
  ended,
  idle,
  open,
  changes,
  missing,
  numberedRows,
  watermarks,
}: TransactionCounts): Line[] {
  const gaps = missing === 0 ? '' : `, ${counted(missing, 'number')} missing`;
  return [
    [
      'Transactions',
      count(ended),
      `ended with ${counted(changes, 'change')}${gaps}; ${count(idle)} of them when partitions fell silent; ${count(open)} open`,
    ],
    ...(numberedRows === undefined
      ? []
      : [
          [
            '  numbered',
            count(numberedRows),
            'rows and tombstones tell the place of their newest change in its transaction and table',
          ] as const,
        ]),
    ...watermarks.map(
      ({ db, lsn, time, exceptions }): Line => [
        '  complete',
        db,
        `up to ${lsn ?? 'nothing yet'}${time === null ? '' : `, committed ${time}`}${
          exceptions.dead_letters === 0 ? '' : `, but for ${counted(exceptions.dead_letters, 'dead letter')}`
        }`,
      ],
    ),
  ];
}

/** What the function counts though it is not wrong enough to put a message aside. */
function notesOf({ unparsedValues, unknownColumns }: Totals): Line[] {
  const lines: Line[] = [
    ['Odd values', count(unparsedValues), 'are not of the type of their column and stay text'],
    ['Unknown', count(unknownColumns), 'columns under a new key: the change of the key did not carry them'],
  ];
  return lines.filter(([, value]) => value !== '0');
}

function simulationLine(made: SimulationStatistics): Line {
  const kinds = [
    counted(made.inserts, 'insert'),
    counted(made.updates, 'update'),
    counted(made.deletes, 'delete'),
    `${count(made.splitEvents)} in several segments`,
    `${counted(made.duplicates, 'message')} sent twice`,
  ];
  return ['Simulated', count(made.changes), `changes: ${kinds.join(', ')}`];
}

function labelled(lines: readonly Line[]): string[] {
  const labelWidth = Math.max(...lines.map(([label]) => label.length));
  const valueWidth = Math.max(...lines.map(([, value]) => value.length));
  return lines.map(([label, value, note]) =>
    `${label.padEnd(labelWidth)}  ${value.padStart(valueWidth)}  ${note}`.trimEnd(),
  );
}

function tableLines(tables: readonly TableCount[]): string[] {
  if (tables.length === 0) return ['The replica has no rows.'];
  const shown = tables.slice(0, MAX_TABLES);
  const lines = textTable(
    ['Table', 'Rows', 'Tombstones'],
    shown.map(({ table, rows, tombstones }) => [table, count(rows), count(tombstones)]),
  );
  return shown.length === tables.length
    ? lines
    : [...lines, `and ${tables.length - shown.length} more tables`];
}

function logLines({ lines, count: all }: Summary['log']): string[] {
  if (all === 0) return [];
  const more = all - lines.length;
  return [
    '',
    'The function logged:',
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${count(more)} more warnings or errors`] : []),
  ];
}

/** Says whether the replica equals its source, and if not where. */
function comparisonLines(comparison: Comparison): string[] {
  const { equalRows, equalTombstones, differenceCount, differences } = comparison;
  if (differenceCount === 0) {
    return [
      `converged: ${counted(equalRows, 'row')} equal, ${counted(equalTombstones, 'tombstone')} where rows were deleted`,
    ];
  }
  const more = differenceCount - differences.length;
  return [
    `NOT converged: ${counted(differenceCount, 'difference')}, ${counted(equalRows, 'row')} equal`,
    ...differences.map((difference) => `  ${difference}`),
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
  ];
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function counted(number: number, one: string, more = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : more}`;
}
