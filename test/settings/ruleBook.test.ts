import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { REMEMBERED_TABLES } from '../../src/limits.ts';
import type { Table } from '../../src/model/table.ts';
import type { TableRules } from '../../src/replica/tableRules.ts';
import { configSchema, type ReplicaConfig } from '../../src/settings/configSchema.ts';
import { hasher } from '../../src/settings/masks.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';

const orders: Table = { db: 'shop', schema: 'dbo', name: 'Orders' };
const salt = 'a salt of the tests';

/** The rules of a table, from a document that the schema accepts. */
function rulesOf(config: ReplicaConfig, table = orders, epoch = 0): TableRules {
  return new RuleBook(configSchema.parse(config), epoch, salt).of(table);
}

test('without a document every table has the defaults', () => {
  const { columnRule, ...rules } = new RuleBook().of(orders);
  assert.deepEqual(rules, {
    table: orders,
    epoch: 0,
    included: true,
    container: undefined,
    updates: 'merge',
    deletes: 'tombstone',
    key: undefined,
    largeValues: 'blob',
    valueFolder: 'rows',
    itemBytes: 2 * 1024 * 1024 - 4 * 1024,
  });
  const { idText, ...rule } = columnRule('constructor', 'toString');
  assert.deepEqual(rule, { name: 'constructor', presence: 'kept', json: undefined, mask: undefined });
  assert.equal(idText('As Sent '), 'As Sent ');
});

describe('which choice counts', () => {
  const config: ReplicaConfig = {
    tables: {
      '*.*.*': { container: 'all', updates: 'replace', deletes: 'soft' },
      'shop.*.*': { container: 'shop', deletes: 'ignore' },
      'shop.dbo.Orders': { container: 'orders' },
    },
  };

  test('option by option that of the exact name, then that of the first pattern that has one', () => {
    const { container, updates, deletes } = rulesOf(config);
    assert.deepEqual([container, updates, deletes], ['orders', 'replace', 'soft']);
    assert.equal(rulesOf(config, { ...orders, name: 'Lines' }).container, 'all');
  });

  test('false and 0 are choices', () => {
    const tables = { 'shop.dbo.Orders': { include: false }, '*.*.*': { include: true } };
    assert.equal(rulesOf({ tables }).included, false);
    assert.equal(rulesOf({ databases: { shop: { epoch: 0 } } }, orders, 7).epoch, 0);
  });

  test('columns are looked up one by one', () => {
    const { columnRule } = rulesOf({
      tables: {
        'shop.dbo.Orders': { columns: { rename: { a: 'A' }, mask: { a: 'hash' } } },
        '*.*.*': { columns: { rename: { a: 'other', b: 'B' }, mask: { b: { fixed: '-' } } } },
      },
    });
    assert.deepEqual(
      ['a', 'b', 'c'].map((column) => columnRule(column, 'int').name),
      ['A', 'B', 'c'],
    );
    assert.equal(columnRule('b', 'int').mask?.('x'), '-');
    assert.equal(columnRule('a', 'int').mask?.('x'), hasher(salt)('x'));
  });

  test('what is excluded anywhere is excluded; the first list of included columns counts', () => {
    const { columnRule } = rulesOf({
      tables: {
        'shop.dbo.Orders': { columns: { exclude: ['a'], include: ['a', 'b', 'c'] } },
        '*.*.*': { columns: { exclude: ['b'], include: ['d'] } },
      },
    });
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((column) => columnRule(column, 'int').presence),
      ['excluded', 'excluded', 'kept', 'unlisted'],
    );
  });
});

describe('types', () => {
  const { columnRule } = rulesOf({
    types: { bigint: 'number', money: 'number', bit: 'text' },
    tables: {
      '*.*.*': { types: { bigint: 'text' }, columns: { types: { flag: 'boolean' } } },
      'shop.dbo.Orders': { types: { bit: 'boolean' }, columns: { types: { total: 'number' } } },
    },
  });
  const cases: readonly (readonly [column: string, type: string, json: string | undefined, why: string])[] = [
    ['n', 'money', 'number', 'by type for all tables'],
    ['n', 'bigint', 'text', 'by type for the table before that'],
    ['total', 'bigint', 'number', 'by column before that'],
    ['flag', 'char', 'boolean', 'by column of a pattern'],
    ['flag', 'bit', 'boolean', 'by column of a pattern before the type of the exact name'],
    ['n', 'bit', 'boolean', 'by type of the exact name before that for all tables'],
    ['n', 'int', undefined, 'not at all'],
    ['constructor', 'constructor', undefined, 'not by what every object has'],
  ];
  for (const [column, type, json, why] of cases)
    test(why, () => assert.equal(columnRule(column, type).json, json));

  test('a column whose type is not known has none of the choices by type', () => {
    assert.equal(columnRule('n', undefined).json, undefined);
    assert.equal(columnRule('total', undefined).json, 'number');
  });
});

describe('the text that an id is made of', () => {
  const { columnRule } = rulesOf({
    tables: {
      '*.*.*': {
        normalize: { a: ['ci', 'rtrim'], m: ['ci'] },
        columns: { mask: { m: { fixed: 'same' }, n: { last: 4 } } },
      },
    },
  });

  test('is normalised', () => {
    assert.equal(columnRule('a', 'varchar').idText('Abc '), 'abc');
    assert.equal(columnRule('b', 'varchar').idText('Abc '), 'Abc ');
  });

  test('is a hash where the column is masked, whatever the mask, of what was normalised', () => {
    assert.equal(columnRule('m', 'varchar').idText('Abc'), hasher(salt)('abc'));
    assert.equal(columnRule('n', 'varchar').idText('Abc'), hasher(salt)('Abc'));
  });
});

describe('databases', () => {
  const config: ReplicaConfig = {
    databases: { now: { name: 'before', epoch: 3 }, tenant7: { epoch: 1 } },
    tables: { 'before.*.*': { container: 'kept' }, 'now.*.*': { container: 'wrong' } },
  };
  const book = new RuleBook(config, 2);
  const of = (db: string) => book.of({ ...orders, db });

  test('a database that was renamed keeps its name, its tables their choices', () => {
    assert.deepEqual(of('now').table, { ...orders, db: 'before' });
    assert.equal(of('now').container, 'kept');
    assert.deepEqual(of('before').table, { ...orders, db: 'before' });
  });

  test('an epoch is that of the database, else that of all', () => {
    assert.deepEqual(
      ['now', 'before', 'tenant7', 'Tenant7', 'constructor'].map((db) => of(db).epoch),
      [3, 2, 1, 1, 2],
    );
  });

  // With a lower epoch than its rows have, every change of it would lose against them.
  test('a database that was renamed goes on in the epoch it had, unless it has its own', () => {
    const epochOf = (now: object) =>
      new RuleBook({ databases: { before: { epoch: 3 }, now } }, 1).of({ ...orders, db: 'now' }).epoch;
    assert.deepEqual(
      [epochOf({ name: 'before' }), epochOf({ name: 'before', epoch: 4 }), epochOf({})],
      [3, 4, 1],
    );
  });

  test('names may be swapped', () => {
    const swapped = new RuleBook({ databases: { a: { name: 'b' }, b: { name: 'a' } } });
    assert.deepEqual(
      ['a', 'b'].map((db) => swapped.of({ ...orders, db }).table.db),
      ['b', 'a'],
    );
  });

  test('the replica has another name in the notes of parked events when any epoch changes, and only then', () => {
    const epochs = (databases: NonNullable<ReplicaConfig['databases']>, epoch = 0) =>
      new RuleBook({ databases }, epoch).epochs;
    assert.equal(epochs({}), '0');
    assert.equal(epochs({ a: { name: 'b' } }), '0');
    const all = [
      epochs({}, 1),
      epochs({ a: { epoch: 0 } }),
      epochs({ a: { epoch: 1 } }),
      epochs({ b: { epoch: 1 } }),
      epochs({ a: { epoch: 1 } }, 1),
      epochs({ a: { epoch: 1 }, b: { epoch: 1 } }),
      epochs({ a: { epoch: 1 }, c: { name: 'a' } }),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.equal(epochs({ a: { epoch: 1 }, b: { epoch: 2 } }), epochs({ b: { epoch: 2 }, a: { epoch: 1 } }));
  });
});

describe('case does not count', () => {
  // SQL Server's usual collations ignore it: a mask of `email` left `Email` in the clear, without a word.
  test('a mask or exclude that is written in another case holds', () => {
    const config: ReplicaConfig = {
      tables: { 'SHOP.DBO.orders': { columns: { mask: { email: 'hash' }, exclude: ['NOTES'] } } },
    };
    const { columnRule } = rulesOf(config);
    assert.equal(columnRule('Email', 'varchar').mask?.('a'), hasher(salt)('a'));
    assert.equal(columnRule('Email', 'varchar').idText('a'), hasher(salt)('a'));
    assert.equal(columnRule('Notes', 'varchar').presence, 'excluded');
    assert.equal(columnRule('Note', 'varchar').presence, 'kept');
  });

  test('nor for anything else that is named', () => {
    const rules = rulesOf({
      databases: { Shop: { name: 'Store', epoch: 4 } },
      tables: {
        'STORE.*.ORDER*': {
          container: 'c',
          normalize: { CODE: ['ci'] },
          columns: { include: ['A', 'code'], rename: { a: 'b' }, types: { A: 'text' } },
        },
      },
    });
    assert.deepEqual([rules.table.db, rules.epoch, rules.container], ['Store', 4, 'c']);
    const { name, json, presence } = rules.columnRule('a', 'int');
    assert.deepEqual([name, json, presence], ['b', 'text', 'kept']);
    assert.equal(rules.columnRule('Code', 'varchar').idText('X'), 'x');
    assert.equal(rules.columnRule('other', 'varchar').presence, 'unlisted');
  });

  test('of names that differ in nothing else each has its own choices first, and a mask is for all', () => {
    const tables: ReplicaConfig['tables'] = {
      'shop.dbo.ORDERS': { container: 'upper', updates: 'replace', columns: { mask: { X: 'hash' } } },
      'shop.dbo.Orders': { container: 'own', columns: { rename: { a: 'lower', A: 'upper' } } },
      '*.*.*': { columns: { mask: { x: { fixed: '-' }, Y: { fixed: 'Y' }, y: { fixed: 'y' } } } },
    };
    const own = rulesOf({ tables });
    assert.deepEqual([own.container, own.updates], ['own', 'replace']);
    assert.equal(rulesOf({ tables }, { ...orders, name: 'ORDERS' }).container, 'upper');
    assert.equal(rulesOf({ tables }, { ...orders, name: 'orders' }).container, 'upper');
    assert.deepEqual(
      ['a', 'A'].map((column) => own.columnRule(column, 'int').name),
      ['lower', 'upper'],
    );
    assert.equal(own.columnRule('x', 'int').mask?.('1'), hasher(salt)('1'));
    assert.deepEqual(
      ['y', 'Y'].map((column) => own.columnRule(column, 'int').mask?.('1')),
      ['y', 'Y'],
    );
  });

  test('where none is written exactly so, the first of the document counts', () => {
    const { columnRule } = rulesOf({
      tables: { '*.*.*': { columns: { rename: { aB: 'first', Ab: 'second' } } } },
    });
    assert.deepEqual(
      ['AB', 'ab', 'aB', 'Ab'].map((column) => columnRule(column, 'int').name),
      ['first', 'first', 'first', 'second'],
    );
  });

  test('the entries for a table are told in the order in which they count', () => {
    const tables = { '*.*.*': {}, 'shop.dbo.ORDERS': {}, 'shop.dbo.Orders': {}, 'other.*.*': {} };
    const entriesOf = (config: ReplicaConfig) => new RuleBook(config).choicesFor(orders).entries;
    assert.deepEqual(entriesOf({ tables }), ['shop.dbo.Orders', 'shop.dbo.ORDERS', '*.*.*']);
    assert.deepEqual(entriesOf({ tables: { 'other.*.*': {} } }), []);
    assert.equal(entriesOf({}), undefined);
  });
});

test('containers are named once, without the default one', () => {
  const tables = {
    'a.*.*': { container: 'one' },
    'b.*.*': { container: 'two' },
    'c.*.*': { container: 'one' },
    'd.*.*': {},
  };
  assert.deepEqual(new RuleBook({ tables }).containers, ['one', 'two']);
});

// Every message asks for the rules of its table; making them looks at every pattern.
test('the rules of a table are made once', () => {
  const book = new RuleBook({ tables: { 'shop.*.*': { updates: 'replace' } } });
  const known = book.of(orders);
  assert.equal(book.of(orders), known);
  assert.equal(book.of({ ...orders }), known);
  assert.notEqual(book.of({ ...orders, name: 'Lines' }), known);
});

// Names come from messages; whoever invents them must not fill the memory.
test('no more tables are remembered than the limit', () => {
  const book = new RuleBook();
  for (let n = 0; n < REMEMBERED_TABLES; n += 1) book.of({ ...orders, name: `T${n}` });
  assert.notEqual(book.of({ ...orders }), book.of({ ...orders }));
  assert.deepEqual(book.of({ ...orders }).table, orders);
});

test('tables whose names run into each other have rules of their own', () => {
  const book = new RuleBook({ tables: { 'a.[b.c].d': { updates: 'replace' } } });
  assert.equal(book.of({ db: 'a', schema: 'b.c', name: 'd' }).updates, 'replace');
  assert.equal(book.of({ db: 'a.b', schema: 'c', name: 'd' }).updates, 'merge');
});
