import type { Random } from '../../../local/simulation/random.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { splitMessages } from '../../support/splitMessages.ts';
import { insertEvent } from '../../support/testEvent.ts';

/** What happened at the source, in the order of commits: what the watermark and the counts are judged by. */
export interface History {
  readonly transactions: readonly SourceTransaction[];
}

export interface SourceTransaction {
  readonly db: string;
  /** 20 hex digits, upper case. */
  readonly lsn: string;
  readonly time: string;
  readonly changes: readonly SourceChange[];
}

export interface SourceChange {
  readonly table: string;
  readonly sequence: number;
  /** Id of the item that must hold it. */
  readonly itemId: string;
  /** As the item must show it, at least. */
  readonly version: string;
  /** `excluded`: by the configuration. The others are dead letters; `unreadable` does not even tell its table. */
  readonly fate: 'row' | 'excluded' | 'no-key' | 'unreadable';
  /** One, or the segments. */
  readonly messages: readonly Buffer[];
}

export const EXCLUDED_TABLE = 'Secrets';
const TABLES = ['Items', 'Orders', 'Lines', EXCLUDED_TABLE];
const GROUPS = new Map([
  ['shop', '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0'],
  ['bank', '2bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b1'],
]);
const HOT_ROWS = 3;

/** @param bad share of the changes that become dead letters. */
export function makeHistory(random: Random, size: number, bad: number): History {
  const dbs = random.chance(0.5) ? ['shop'] : ['shop', 'bank'];
  const transactions: SourceTransaction[] = [];
  let keys = HOT_ROWS;
  for (let n = 1; n <= size; n += 1) {
    const db = random.pick(dbs);
    const lsn = (n * 16).toString(16).toUpperCase().padStart(20, '0');
    const time = new Date(Date.UTC(2026, 7, 7, 12) + n * 1000).toISOString();
    const changes: SourceChange[] = [];
    const length = random.chance(0.1) ? random.integer(10, 30) : random.integer(1, 6);
    for (let sequence = 1; changes.length < length; sequence += 1) {
      // Numbers of tables outside the stream group are missing.
      if (changes.length > 0 && random.chance(0.1)) continue;
      keys += 1;
      const key = random.chance(0.2) ? random.integer(1, HOT_ROWS) : keys;
      changes.push(makeChange({ random, db, lsn, time, sequence, key, bad }));
    }
    transactions.push({ db, lsn, time, changes });
  }
  return { transactions };
}

interface Making {
  readonly random: Random;
  readonly db: string;
  readonly lsn: string;
  readonly time: string;
  readonly sequence: number;
  readonly key: number;
  readonly bad: number;
}

function makeChange({ random, db, lsn, time, sequence, key, bad }: Making): SourceChange {
  const table = random.pick(TABLES);
  const digits = String(sequence).padStart(20, '0');
  const event = insertEvent(key, 1, {
    logicalid: `${GROUPS.get(db)}:${lsn}:${digits}`,
    db,
    tbl: table,
    time,
    commitlsn: `${lsn.slice(0, 8)}:${lsn.slice(8, 16)}:${lsn.slice(16)}`,
    sequencenumber: sequence,
    operation: 'INS',
    current: JSON.stringify({ Id: String(key), Name: `漢 ${sequence} of ${lsn}` }),
  });
  const made = { table, sequence, itemId: `${db}.dbo.${table}:${key}`, version: `0000:${lsn}:${digits}` };
  if (random.chance(bad)) {
    return table !== EXCLUDED_TABLE && random.chance(0.5)
      ? { ...made, fate: 'no-key', messages: [jsonMessage({ ...event, pkkey: [] })] }
      : { ...made, fate: 'unreadable', messages: [jsonMessage(event, { data: '{"torn":' })] };
  }
  const cuts = random.chance(0.15) ? [200, ...(random.chance(0.4) ? [450] : [])] : [];
  const messages = splitMessages(event, { form: random.pick(['text', 'avro']), base: 0, cuts });
  return { ...made, fate: table === EXCLUDED_TABLE ? 'excluded' : 'row', messages };
}
