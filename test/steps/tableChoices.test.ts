import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deadLetterMetadata } from '../../src/deadletter/deadLetterMetadata.ts';
import { type BatchOutcome, replicate } from '../../src/pipeline.ts';
import type { ReplicaItem } from '../../src/replica/replicaItem.ts';
import type { ReplicaConfig, TableConfig } from '../../src/settings/configSchema.ts';
import { hasher } from '../../src/settings/masks.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { sweep } from '../../src/sweep/sweep.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { type TestServices, testServices, testSettings } from '../support/testServices.ts';

const SALT = 'a salt of the tests';
const hash = hasher(SALT);

/** An instance of the app with this configuration; give another one to go on with its stores. */
function servicesWith(config: ReplicaConfig, before?: TestServices): TestServices {
  const settings = { ...testSettings, rules: new RuleBook(config, 0, SALT) };
  if (before === undefined) return testServices({ settings });
  const { store, parking, deadLetters } = before;
  return testServices({ store, parking, deadLetters, settings });
}

const ofItems = (table: TableConfig): ReplicaConfig => ({ tables: { 'shop.dbo.Items': table } });

async function play(services: TestServices, ...events: readonly TestEvent[]) {
  const { report } = await replicate(hubMessages(events.map((event) => jsonMessage(event))), services);
  return report;
}

const rowsOf = ({ store }: TestServices) => store.items().map(({ row }) => row);
const onlyItem = ({ store }: TestServices): ReplicaItem => {
  const [item, ...others] = store.items();
  assert.ok(item !== undefined && others.length === 0, 'there is one item');
  return item;
};
/** Everything durable but the messages themselves, and everything reported, as text. */
const traces = ({ store, parking, deadLetters }: TestServices, outcome?: BatchOutcome): string =>
  JSON.stringify([
    store.items(),
    parking.parked(),
    [...deadLetters.letters].map(([name, letter]) => [name, deadLetterMetadata(letter)]),
    outcome?.report,
    outcome?.warnings,
    outcome?.tables.map(({ reasons, ...table }) => [table, [...reasons]]),
  ]);

type Values = Readonly<Record<string, string | null>>;

/** A change of `shop.dbo.Items` whose columns are text, but for `Id`. */
function change(position: number, operation: 'INS' | 'UPD' | 'DEL', current: Values, old: Values = {}) {
  const names = Object.keys({ ...old, ...current });
  return insertEvent(Number(current['Id'] ?? old['Id']), position, {
    operation,
    cols: names.map((name, index) => ({ name, type: name === 'Id' ? 'int' : 'nvarchar(50)', index })),
    current: JSON.stringify(current),
    old: JSON.stringify(old),
  });
}

describe('include', () => {
  const events = [insertEvent(1, 1), insertEvent(2, 2, { tbl: 'Log' }), insertEvent(3, 3, { schema: 'old' })];
  const kept = async (tables: ReplicaConfig['tables']) => {
    const services = servicesWith({ tables });
    const { excluded, applied } = await play(services, ...events);
    assert.equal(excluded + applied, events.length);
    return services.store.items().map(({ schema, table }) => `${schema}.${table}`);
  };

  test('leaves out a table by its name', async () =>
    assert.deepEqual(await kept({ 'shop.dbo.Log': { include: false } }), ['dbo.Items', 'old.Items']));

  test('leaves out tables by a pattern', async () =>
    assert.deepEqual(await kept({ '*.*.I*ms': { include: false } }), ['dbo.Log']));

  test('takes in by name what a pattern leaves out, whatever comes first', async () => {
    const all = { '*.*.*': { include: false } } as const;
    const one = { 'shop.dbo.Log': { include: true } } as const;
    assert.deepEqual(await kept({ ...all, ...one }), ['dbo.Log']);
    assert.deepEqual(await kept({ ...one, ...all }), ['dbo.Log']);
  });

  test('lets the first pattern win that says something', async () => {
    const old = { '*.old.*': { include: true } } as const;
    const items = { '*.*.Items': { include: false } } as const;
    const silent = { 'shop.*.*': { updates: 'replace' } } as const;
    assert.deepEqual(await kept({ ...silent, ...old, ...items }), ['dbo.Log', 'old.Items']);
    assert.deepEqual(await kept({ ...silent, ...items, ...old }), ['dbo.Log']);
  });
});

describe('a table that is excluded while segments of it are parked', () => {
  const config = ofItems({ include: false });
  const parked = async () => {
    const [first, last] = splitMessages(insertEvent(1, 1), { form: 'text', base: 0, cuts: [300] });
    assert.ok(first && last);
    const before = servicesWith({});
    await replicate(hubMessages([first]), before);
    assert.equal(before.parking.parked().length, 1);
    return { before, last };
  };

  test('releases them when the event becomes whole', async () => {
    const { before, last } = await parked();
    const services = servicesWith(config, before);
    const { report } = await replicate(hubMessages([last]), services);
    assert.deepEqual([report.excluded, report.released], [1, 1]);
    assert.deepEqual([services.parking.parked(), services.store.items()], [[], []]);
  });

  test('lets the sweep remove what stays incomplete', async () => {
    const { before } = await parked();
    const services = servicesWith(config, before);
    await sweep(services, new Date(Date.now() + (testSettings.parkedSeconds + 1) * 1000));
    assert.deepEqual([services.parking.parked(), services.deadLetters.reasons()], [[], []]);
  });
});

// It was kept as a dead letter of missing segments, although it would have done nothing.
test('an incomplete delete of a table whose deletes do nothing is removed in the end', async () => {
  for (const choices of [{}, { key: ['Name'] }]) {
    const services = servicesWith(ofItems({ ...choices, deletes: 'ignore' }));
    const remove = change(1, 'DEL', {}, { Id: '1', Name: 'x'.repeat(500) });
    const [first] = splitMessages(remove, { form: 'text', base: 0, cuts: [600] });
    await replicate(hubMessages([first ?? assert.fail()]), services);
    assert.equal(services.parking.parked().length, 1);
    await sweep(services, new Date(Date.now() + (testSettings.parkedSeconds + 1) * 1000));
    assert.deepEqual([services.parking.parked(), services.deadLetters.reasons()], [[], []]);
  }
});

describe('columns', () => {
  const row = { Id: '1', a: 'A', b: 'B', c: null };

  test('include keeps those listed and the key', async () => {
    const services = servicesWith(ofItems({ columns: { include: ['b', 'nowhere'] } }));
    await play(services, change(1, 'INS', row));
    assert.deepEqual(rowsOf(services), [{ Id: 1, b: 'B' }]);
  });

  test('exclude wins over include, and adds up', async () => {
    const services = servicesWith({
      tables: {
        'shop.dbo.Items': { columns: { include: ['a', 'b'], exclude: ['a'] } },
        '*.*.*': { columns: { exclude: ['b', 'nowhere'] } },
      },
    });
    await play(services, change(1, 'INS', row));
    assert.deepEqual(rowsOf(services), [{ Id: 1 }]);
  });

  test('exclude of a key column puts the change aside', async () => {
    const services = servicesWith(ofItems({ columns: { exclude: ['Id'] } }));
    await play(services, change(1, 'INS', row));
    assert.deepEqual(services.deadLetters.reasons(), ['key-excluded']);
  });

  for (const [what, rename, wanted] of [
    ['one', { b: 'B side' }, { Id: 1, a: 'A', 'B side': 'B', c: null }],
    ['a swap', { a: 'b', b: 'a' }, { Id: 1, b: 'A', a: 'B', c: null }],
    ['a chain', { a: 'b', b: 'c', c: 'd' }, { Id: 1, b: 'A', c: 'B', d: null }],
    ['a ring', { a: 'b', b: 'c', c: 'a' }, { Id: 1, b: 'A', c: 'B', a: null }],
    ['a key', { Id: 'number' }, { number: 1, a: 'A', b: 'B', c: null }],
    [
      'odd names',
      { a: 'constructor', b: '__proto__' },
      { Id: 1, constructor: 'A', ['__proto__']: 'B', c: null },
    ],
    ['one that is not there', { nowhere: 'a2' }, { Id: 1, a: 'A', b: 'B', c: null }],
  ] as const) {
    test(`rename: ${what}`, async () => {
      const services = servicesWith(ofItems({ columns: { rename } }));
      await play(services, change(1, 'INS', row));
      const item = onlyItem(services);
      assert.deepEqual(Object.entries(item.row ?? {}).sort(), Object.entries(wanted).sort());
      assert.deepEqual(item.key, { [what === 'a key' ? 'number' : 'Id']: 1 });
      assert.equal(item.id, 'shop.dbo.Items:1');
    });
  }

  test('renamed columns keep their versions apart', async () => {
    const services = servicesWith(ofItems({ columns: { rename: { a: 'b', b: 'a' } } }));
    await play(services, change(1, 'INS', row), change(3, 'UPD', { Id: '1', a: 'A3' }));
    await play(services, change(2, 'UPD', { Id: '1', a: 'A2', b: 'B2' }));
    assert.deepEqual(rowsOf(services), [{ Id: 1, b: 'A3', a: 'B2', c: null }]);
  });

  for (const [what, columns] of [
    ['renamed to a name of another', { rename: { a: 'b' } }],
    ['renamed to that of the key', { rename: { a: 'Id' } }],
    ['of the key, not listed, renamed to one that is', { include: ['a'], rename: { Id: 'a' } }],
  ] satisfies [string, TableConfig['columns']][]) {
    test(`a column ${what}: the change is put aside`, async () => {
      const services = servicesWith(ofItems({ columns }));
      await play(services, change(1, 'INS', row), change(2, 'DEL', {}, row));
      assert.deepEqual(services.deadLetters.reasons(), ['column-conflict', 'column-conflict']);
      assert.deepEqual(services.store.items(), []);
    });
  }

  // One of the two values was lost without a word.
  test('two key columns of one name: the change is put aside', async () => {
    const pkkey = ['Id', 'Name'].map((columnname) => ({ columnname, value: '1' }));
    const tables = {
      'shop.dbo.Items': { columns: { include: ['other'], rename: { Id: 'x' } } },
      '*.*.*': { columns: { rename: { Name: 'x' } } },
    };
    const images = { Id: '1', Name: '1' };
    for (const event of [change(1, 'INS', images), change(2, 'DEL', {}, images)]) {
      const services = servicesWith({ tables });
      await play(services, { ...event, pkkey });
      assert.deepEqual(services.deadLetters.reasons(), ['column-conflict']);
    }
  });

  test('a column that is not declared gets the name of another that is not: the change is put aside', async () => {
    const columns = { rename: { u: 'x' }, exclude: ['out'] };
    const services = servicesWith({
      tables: { 'shop.dbo.Items': { columns }, '*.*.*': { columns: { rename: { out: 'x' } } } },
    });
    await play(services, {
      ...change(1, 'INS', { Id: '1' }),
      current: '{"Id":"1","out":"0","u":"1","x":"2"}',
    });
    const [letter] = services.deadLetters.letters.values();
    assert.match(letter?.error.message ?? '', /^"u" and "x" of shop\.dbo\.Items would both be called "x"$/);
  });

  for (const [what, columns] of [
    ['excluded', { rename: { a: 'b' }, exclude: ['b'] }],
    ['not listed', { rename: { a: 'b' }, include: ['a'] }],
    ['renamed itself', { rename: { a: 'b', b: 'other' } }],
  ] satisfies [string, TableConfig['columns']][]) {
    test(`a name is free when the column that has it is ${what}`, async () => {
      const services = servicesWith(ofItems({ columns }));
      await play(services, change(1, 'INS', row));
      assert.equal(onlyItem(services).row?.['b'], 'A');
    });
  }

  test('a change without the conflict is not held up by one that had it', async () => {
    const services = servicesWith(ofItems({ columns: { rename: { a: 'b' } } }));
    const { applied } = await play(
      services,
      change(1, 'INS', { Id: '1', a: 'A', b: 'B' }),
      change(2, 'INS', { Id: '2', a: 'A' }),
    );
    assert.equal(applied, 1);
  });
});

describe('masks', () => {
  const row = { Id: '1', email: 'marker@example.com', phone: '555 1234', note: null };
  const columns = {
    mask: { email: 'hash', phone: { last: 4 }, note: { fixed: 'secret' } },
  } as const;

  test('hash, last and fixed; NULL stays null', async () => {
    const services = servicesWith(ofItems({ columns }));
    await play(services, change(1, 'INS', row), change(2, 'INS', { ...row, Id: '2', note: 'marker' }));
    assert.deepEqual(rowsOf(services), [
      { Id: 1, email: hash('marker@example.com'), phone: '****1234', note: null },
      { Id: 2, email: hash('marker@example.com'), phone: '****1234', note: 'secret' },
    ]);
    assert.doesNotMatch(traces(services), /marker|555/);
  });

  test('give the same for the same, so that copies write nothing', async () => {
    const services = servicesWith(ofItems({ columns }));
    await play(services, change(1, 'INS', row));
    const { superseded, writes } = await play(
      servicesWith(ofItems({ columns }), services),
      change(1, 'INS', row),
    );
    assert.deepEqual([superseded, writes], [1, 0]);
  });

  test('what cannot be applied, or is odd, shows nothing either', async () => {
    const mask = { ...columns.mask, Id: 'hash' } as const;
    const services = servicesWith(ofItems({ columns: { mask, exclude: ['hidden'] } }));
    const long = 'marker'.padEnd(1024 * 1024, '-');
    const outcome = await replicate(
      hubMessages([
        jsonMessage(change(1, 'INS', { ...row, email: long, hidden: 'marker' })),
        jsonMessage({ ...change(2, 'INS', row), current: '{}' }),
        jsonMessage({ ...change(3, 'UPD', { Id: 'marker' }), cols: [{ name: 'Id', type: 'int', index: 0 }] }),
        jsonMessage({ ...change(4, 'DEL', {}, row), pkkey: [] }),
      ]),
      services,
    );
    assert.equal(outcome.letters.length, 2);
    assert.ok(outcome.warnings.length > 1);
    assert.doesNotMatch(traces(services, outcome), /marker/);
  });

  test('another salt gives another hash', () => {
    assert.notEqual(hasher('a')('value'), hasher('b')('value'));
    assert.notEqual(hash('value'), hash('Value'));
  });

  test('come before types and after names', async () => {
    const services = servicesWith(
      ofItems({
        columns: { mask: { Id: { fixed: 'x' } }, rename: { Id: 'number' }, types: { Id: 'number' } },
      }),
    );
    const { unparsedValues } = await play(services, change(1, 'INS', row));
    assert.deepEqual([onlyItem(services).row?.['number'], unparsedValues], ['x', 0]);
  });

  test('of a pattern hold for a table that has its own, by column', async () => {
    const services = servicesWith({
      tables: {
        '*.*.*': { columns: { mask: { email: { fixed: 'all' }, phone: { fixed: 'all' } } } },
        'shop.dbo.Items': { columns: { mask: { email: { fixed: 'own' } } } },
      },
    });
    await play(services, change(1, 'INS', row));
    assert.deepEqual(rowsOf(services), [{ Id: 1, email: 'own', phone: 'all', note: null }]);
  });

  test('the values before a delete or under another key are masked, too', async () => {
    const services = servicesWith(ofItems({ columns, deletes: 'soft' }));
    await play(services, change(1, 'UPD', { Id: '2' }, row), change(2, 'DEL', {}, { ...row, Id: '3' }));
    assert.equal(services.store.items().length, 3);
    for (const { row: shown } of services.store.items())
      assert.equal(shown?.['email'], hash('marker@example.com'));
    assert.doesNotMatch(traces(services), /marker|555/);
  });

  test('of a key column hold for the id, the key, the row and a dead letter', async () => {
    const services = servicesWith(ofItems({ columns: { mask: { Id: { last: 2 } } } }));
    await play(
      services,
      change(1, 'INS', { Id: '98765', a: 'A' }),
      change(2, 'INS', { Id: '12365', a: 'B' }),
    );
    const items = services.store.items();
    assert.deepEqual(items.map(({ id }) => id).sort(), [
      `shop.dbo.Items:${hash('12365')}`,
      `shop.dbo.Items:${hash('98765')}`,
    ]);
    for (const { key, row: shown } of items)
      assert.deepEqual([key['Id'], shown?.['Id']], ['****65', '****65']);
    await play(services, change(3, 'UPD', { Id: '98765' }), {
      ...change(4, 'INS', { Id: '98765' }),
      current: '{}',
    });
    for (const { key } of services.deadLetters.letters.values()) assert.equal(key?.[0]?.value, '****65');
    assert.equal(services.deadLetters.letters.size, 1);
    assert.doesNotMatch(traces(services), /987|123/);
  });
});

describe('a choice that changes in mid-stream', () => {
  const insert = change(1, 'INS', { Id: '1', a: 'A1', b: 'B1' });
  const update = change(3, 'UPD', { Id: '1', a: 'A3', b: 'B3' });
  const late = change(2, 'UPD', { Id: '1', a: 'A2', b: 'B2' });

  for (const [what, before, after, wanted] of [
    ['a column left out stays as it was', {}, { columns: { exclude: ['b'] } }, { Id: 1, a: 'A3', b: 'B1' }],
    ['and goes with an image', {}, { columns: { exclude: ['b'] }, updates: 'replace' }, { Id: 1, a: 'A3' }],
    [
      'a column taken in comes with the next change',
      { columns: { exclude: ['b'] } },
      {},
      { Id: 1, a: 'A3', b: 'B3' },
    ],
    [
      'a new name stands beside the old one',
      {},
      { columns: { rename: { b: 'c' } } },
      { Id: 1, a: 'A3', b: 'B1', c: 'B3' },
    ],
    [
      'a mask holds from the next change on',
      {},
      { columns: { mask: { b: { fixed: '*' } } } },
      { Id: 1, a: 'A3', b: '*' },
    ],
  ] as const satisfies readonly (readonly [string, TableConfig, TableConfig, object])[]) {
    test(what, async () => {
      const first = servicesWith(ofItems(before));
      await play(first, insert);
      const second = servicesWith(ofItems(after), first);
      await play(second, update);
      assert.deepEqual(onlyItem(second).row, wanted);
      // What comes late under the new choice is still older.
      await play(second, late);
      if (what !== 'a column left out stays as it was') assert.deepEqual(onlyItem(second).row, wanted);
    });
  }

  test('deletes: what was deleted stays as it is, and comes back as any row', async () => {
    const remove = change(2, 'DEL', {}, { Id: '1', a: 'A1', b: 'B1' });
    for (const [before, after] of [
      ['soft', 'tombstone'],
      ['tombstone', 'soft'],
    ] as const) {
      const first = servicesWith(ofItems({ deletes: before }));
      await play(first, insert, remove);
      const second = servicesWith(ofItems({ deletes: after }), first);
      assert.equal(onlyItem(second).deleted, true);
      assert.equal('row' in onlyItem(second), before === 'soft');
      await play(second, change(4, 'INS', { Id: '1', a: 'A4' }));
      assert.deepEqual([onlyItem(second).deleted, onlyItem(second).row], [undefined, { Id: 1, a: 'A4' }]);
    }
  });
});

describe('a table that changes in mid-stream', () => {
  const typed = (position: number, type: string, value: string) => ({
    ...change(position, 'UPD', { Id: '1', a: value }),
    cols: [
      { name: 'Id', type: 'int', index: 0 },
      { name: 'a', type, index: 1 },
    ],
  });
  const insert = { ...typed(1, 'int', '1'), operation: 'INS' };

  test('a new column comes with the first change that carries it', async () => {
    const services = servicesWith({});
    await play(services, insert, change(2, 'UPD', { Id: '1', a: '2', added: 'x' }));
    assert.deepEqual(rowsOf(services), [{ Id: 1, a: '2', added: 'x' }]);
  });

  test('a dropped column stays until an image comes; updates are images where they replace', async () => {
    for (const [updates, wanted] of [
      ['merge', { Id: 1, a: 1, b: 'x' }],
      ['replace', { Id: 1, b: 'x' }],
    ] as const) {
      const services = servicesWith(ofItems({ updates }));
      await play(services, insert, change(2, 'UPD', { Id: '1', b: 'x' }));
      assert.deepEqual(rowsOf(services), [wanted]);
      await play(services, change(3, 'DEL', {}, { Id: '1' }), change(4, 'INS', { Id: '1', b: 'y' }));
      assert.deepEqual(rowsOf(services), [{ Id: 1, b: 'y' }]);
    }
  });

  test('a value has the type that its own message declares, in whatever order they come', async () => {
    const changes = [insert, typed(2, 'bigint', '2'), typed(3, 'decimal(9,2)', '3.50')];
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const services = servicesWith({});
      for (const place of order) await play(services, ...changes.slice(place, place + 1));
      assert.deepEqual(rowsOf(services), [{ Id: 1, a: 3.5 }]);
    }
    const services = servicesWith({});
    await play(services, insert, typed(2, 'bigint', '2'));
    assert.deepEqual(rowsOf(services), [{ Id: 1, a: '2' }]);
  });
});
