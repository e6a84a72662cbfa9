import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Table } from '../../src/model/table.ts';
import { TablePattern } from '../../src/settings/tablePattern.ts';

function patternOf(text: string): TablePattern {
  const pattern = TablePattern.parse(text);
  assert.ok(pattern, text);
  return pattern;
}

const table = (db: string, schema: string, name: string): Table => ({ db, schema, name });
const named = (name: string): Table => table('d', 's', name);

const cases: readonly (readonly [pattern: string, exact: boolean, matches: Table[], others: Table[]])[] = [
  [
    'shop.dbo.Orders',
    true,
    [table('shop', 'dbo', 'Orders'), table('SHOP', 'DBO', 'orders')],
    [table('shop', 'dbo', 'Orders2'), table('shop', 'dbo2', 'Orders')],
  ],
  ['*.*.*', false, [table('a', 'b', 'c'), table('', '', ''), table('a.b', 'c', 'd\ne')], []],
  [
    'tenant*.dbo.Order*',
    false,
    [table('tenant', 'dbo', 'Order'), table('Tenant17', 'dbo', 'ORDER Lines')],
    [table('xtenant1', 'dbo', 'Order'), table('tenant1', 'sys', 'Order')],
  ],
  ['d.s.*_log', false, [named('_log'), named('a_log'), named('_log_log')], [named('a_logs'), named('log')]],
  [
    'd.s.a*b*c',
    false,
    [named('abc'), named('a-b-b-c'), named('abcc')],
    [named('acb'), named('ab'), named('bc')],
  ],
  ['d.s.a*a', false, [named('aa'), named('aba')], [named('a')]],
  ['d.s.**', false, [named(''), named('x')], []],
  ['d.s.[a.b]', true, [named('a.b')], [named('axb'), named('a')]],
  ['d.s.[a*]', true, [named('a*')], [named('a'), named('ab')]],
  ['d.s.[a]]b[c]', true, [named('a]b[c')], [named('ab')]],
  ['[d].[s].[t]', true, [table('d', 's', 't')], [table('[d]', 's', 't')]],
  ['d.s.a+(b|c)$', true, [named('a+(b|c)$')], [named('ab'), named('aab')]],
  ['d.s.größe / 大きさ', true, [named('größe / 大きさ')], [named('größe')]],
  ['d.s.constructor', true, [named('constructor')], [named('toString')]],
];

for (const [text, exact, matches, others] of cases) {
  test(`${text} is ${exact ? 'one table' : 'a pattern'}`, () => {
    const pattern = patternOf(text);
    assert.equal(pattern.exact, exact);
    for (const one of matches) assert.equal(pattern.matches(one), true, JSON.stringify(one));
    for (const one of others) assert.equal(pattern.matches(one), false, JSON.stringify(one));
  });
}

test('only the very name of a table, in its case, names it', () => {
  const found = ['a.b.C', 'a.b.[C]', 'A.b.C', 'a.b.c', 'a.b.*'].map((text) =>
    patternOf(text).names(table('a', 'b', 'C')),
  );
  assert.deepEqual(found, [true, true, false, false, false]);
});

test('what is not three parts is no pattern', () => {
  for (const text of [
    '',
    'a',
    'a.b',
    'a.b.c.d',
    'a..c',
    '.b.c',
    'a.b.',
    'a.b.[c',
    'a.b.c]',
    'a.b.[]',
    'a.[b]x.c',
  ])
    assert.equal(TablePattern.parse(text), undefined, text);
});

test('every table is matched by its own name in brackets, and no other table is', () => {
  const part = fc.string({ unit: fc.constantFrom(...'.[]*ab \\$'), minLength: 1, maxLength: 4 });
  const any = fc.record({ db: part, schema: part, name: part });
  const quoted = (text: string) => `[${text.replaceAll(']', ']]')}]`;
  fc.assert(
    fc.property(any, any, (one, other) => {
      const pattern = patternOf([one.db, one.schema, one.name].map(quoted).join('.'));
      assert.equal(pattern.exact, true);
      assert.equal(pattern.matches(one), true);
      assert.equal(pattern.matches(other), JSON.stringify(one) === JSON.stringify(other));
      assert.equal(pattern.names(other), pattern.matches(other));
    }),
  );
});

/** By trying all ways, as slowly as it gets. */
function matchesAnyWay(text: string, pattern: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] !== '*') return text[0] === pattern[0] && matchesAnyWay(text.slice(1), pattern.slice(1));
  return Array.from({ length: text.length + 1 }).some((_, skipped) =>
    matchesAnyWay(text.slice(skipped), pattern.slice(1)),
  );
}

test('asterisks stand for any text, however many there are', () => {
  const letters = fc.constantFrom('a', 'b');
  fc.assert(
    fc.property(
      fc.string({ unit: letters, maxLength: 7 }),
      fc.string({ unit: fc.oneof(letters, fc.constant('*')), minLength: 1, maxLength: 6 }),
      (name, pattern) => {
        assert.equal(patternOf(`d.s.${pattern}`).matches(named(name)), matchesAnyWay(name, pattern));
      },
    ),
    { numRuns: 2_000 },
  );
});

// A RegExp with so many asterisks tries all ways to share out the letters, for years.
test('a name that nearly matches many asterisks is decided all the same', () => {
  const pattern = patternOf(`d.s.${'*a'.repeat(40)}*b`);
  assert.equal(pattern.matches(named('a'.repeat(100_000))), false);
  assert.equal(pattern.matches(named(`${'a'.repeat(100_000)}b`)), true);
});

test('text that is hostile to the form is read all the same', () => {
  for (const hostile of ['['.repeat(100_000), `a.b.[${']]'.repeat(100_000)}`, `${'.'.repeat(100_000)}a`])
    assert.equal(TablePattern.parse(hostile), undefined);
});
