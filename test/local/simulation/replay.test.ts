import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSimulationOptions, type SimulationOptions } from '../../../local/simulation/options.ts';
import { simulate } from '../../../local/simulation/simulate.ts';
import { readEvents } from './readBack.ts';
import { expectedValue, oracleRows, replay } from './replay.ts';

const base: SimulationOptions = { ...defaultSimulationOptions, changes: 1500, reorder: 0.5, duplicates: 0.3 };

const variants: Record<string, Partial<SimulationOptions>> = {
  defaults: {},
  'old messages': { generation: 'split', segmentBytes: 700 },
  'early segments from 1, as latin-1': {
    generation: 'segment',
    firstIndex: 1,
    jsonData: 'latin1',
    segmentBytes: 501,
  },
  avro: { encoding: 'avro', segmentBytes: 333 },
  'everything mixed': { encoding: 'mixed', generation: 'mixed', segmentBytes: 1000, partitions: 7 },
  'key changes as updates': { keyChanges: 'update', generation: 'mixed' },
  'no old values': { oldValues: false },
  'changed columns only': { changedColumnsOnly: true, encoding: 'mixed' },
  'changed columns only, no old values': {
    changedColumnsOnly: true,
    oldValues: false,
    partitionScheme: 'column',
  },
};

for (const [name, options] of Object.entries(variants)) {
  test(`messages put together and replayed in version order give the oracle: ${name}`, () => {
    for (const seed of [1, 2, 3]) {
      const simulation = simulate({ ...base, ...options, seed });
      const events = readEvents(simulation);
      assert.equal(events.length, base.changes);
      const { live, gone } = replay(events);
      const oracle = oracleRows(simulation.tables);
      assert.deepEqual([...gone].sort(), [...oracle.gone].sort());
      assert.deepEqual([...live.keys()].sort(), [...oracle.live.keys()].sort());
      for (const [id, texts] of live) {
        const types = oracle.types.get(id);
        const values = Object.entries(texts).map(([column, text]) => [
          column,
          expectedValue(types?.get(column) ?? '', text),
        ]);
        assert.deepEqual(
          sorted(Object.fromEntries(values)),
          sorted(oracle.live.get(id) ?? {}),
          `seed ${seed} ${id}`,
        );
      }
    }
  });
}

/** deepEqual passes over a property called `__proto__`; a list of entries hides nothing. */
function sorted(values: object): [string, unknown][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

test('the history has what makes a replica hard', () => {
  const simulation = simulate({ ...base, changes: 3000 });
  const { statistics, tables } = simulation;
  for (const [name, value] of Object.entries(statistics)) assert.ok(value > 0, name);
  assert.ok(tables.every((table) => table.rows.length > 0 && table.deletedKeys.length > 0));

  const events = readEvents(simulation);
  const transactions = Map.groupBy(events, ({ logicalId }) => logicalId.slice(0, logicalId.lastIndexOf(':')));
  const rowsOf = (list: typeof events) =>
    list.map(
      ({ operation, payload }) =>
        `${operation} ${JSON.stringify([payload.eventsource.tbl, payload.eventsource.pkkey])}`,
    );
  const some = (check: (list: typeof events) => boolean) => [...transactions.values()].some(check);
  assert.ok(
    some((list) =>
      rowsOf(list).some(
        (row, index, all) => row.startsWith('DEL') && all[index + 1] === row.replace('DEL', 'INS'),
      ),
    ),
    'delete and insert of one key in a transaction',
  );
  assert.ok(
    some((list) => new Set(rowsOf(list)).size < list.length),
    'two updates of one row in a transaction',
  );

  const inserts = events.filter(({ operation }) => operation === 'INS').map((event) => rowsOf([event])[0]);
  assert.ok(new Set(inserts).size < inserts.length, 'a key that comes back');

  const keys = tables.flatMap((table) => [...table.rows.map(({ key }) => key), ...table.deletedKeys]).flat();
  for (const odd of ['/', '\\', '?', '#', '%', '.', ',', ':', ' ', '😀']) {
    assert.ok(
      keys.some((key) => key.includes(odd)),
      `a key with ${odd}`,
    );
  }
  assert.ok(keys.includes(''), 'an empty key text');
  assert.ok(
    tables.some((table) =>
      table.rows.some((row) => Object.hasOwn(row.values, '__proto__') && row.values['ttl'] === null),
    ),
    'odd names and NULL',
  );
  const lengths = events.map(({ segments }) => segments.length);
  assert.ok(Math.max(...lengths) > 3, 'an event of several segments');
});

test('sequence numbers start at 1 in each transaction and no time follows the order of commits', () => {
  const events = readEvents(simulate({ ...base, changes: 800 }));
  const transactions = Map.groupBy(events, ({ logicalId }) => logicalId.slice(0, logicalId.lastIndexOf(':')));
  for (const list of transactions.values()) {
    assert.deepEqual(
      list.map(({ payload }) => payload.eventsource.transaction?.['sequencenumber']),
      list.map((_, index) => index + 1),
    );
  }
  for (const { logicalId, payload } of events) {
    const commit = String(payload.eventsource.transaction?.['commitlsn']);
    assert.match(commit, /^[0-9A-F]{8}:[0-9A-F]{8}:[0-9A-F]{4}$/);
    assert.equal(logicalId.split(':')[1], commit.replaceAll(':', ''));
    assert.ok(String(payload.eventsource.transaction?.['beginlsn']) < commit);
  }
  const [database] = Map.groupBy(events, ({ payload }) => payload.eventsource.db).values();
  for (const name of ['committime', 'beginlsn']) {
    const values = (database ?? []).map(({ payload }) => String(payload.eventsource.transaction?.[name]));
    assert.notDeepEqual(values, values.toSorted(), name);
  }
  const times = (database ?? []).map(({ segments }) => String(segments[0]?.envelope['time']));
  assert.notDeepEqual(times, times.toSorted(), 'time');
});
