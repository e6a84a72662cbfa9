import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TablePattern } from '../../src/settings/tablePattern.ts';

function matches(pattern: string, db: string, schema: string, name: string): boolean {
  const parsed = TablePattern.parse(pattern);
  assert.ok(parsed, pattern);
  return parsed.matches({ db, schema, name });
}

test('a name is that of one table, letter case included', () => {
  assert.equal(matches('db1.dbo.Items', 'db1', 'dbo', 'Items'), true);
  for (const [db, schema, name] of [
    ['db1', 'dbo', 'items'],
    ['db1', 'dbo', 'Items2'],
    ['xdb1', 'dbo', 'Items'],
    ['db1', 'dbo', 'Items\n'],
  ] as const)
    assert.equal(matches('db1.dbo.Items', db, schema, name), false);
  assert.equal(TablePattern.parse('db1.dbo.Items')?.exact, true);
});

test('* stands for any text, also none, within its part', () => {
  for (const [pattern, wanted] of [
    ['*.*.*', true],
    ['tenant*.dbo.*', true],
    ['tenant*.dbo.Order*Lines', true],
    ['*7.dbo.*Lines*', true],
    ['tenant*.sales.*', false],
    ['tenant*.dbo.order*', false],
  ] as const)
    assert.equal(matches(pattern, 'tenant7', 'dbo', 'OrderLines'), wanted, pattern);
  assert.equal(matches('a.*.b', 'a', 'x.y', 'b'), true);
  assert.equal(TablePattern.parse('a.b.c*')?.exact, false);
});

test('other characters stand for themselves', () => {
  assert.equal(matches('d(b)+.d$.a?b', 'd(b)+', 'd$', 'a?b'), true);
  assert.equal(matches('db.dbo.a?b', 'db', 'dbo', 'ab'), false);
});

test('brackets quote dots, stars and brackets', () => {
  assert.equal(matches('db.dbo.[a.b]', 'db', 'dbo', 'a.b'), true);
  assert.equal(matches('db.[d.*].[a]]b]', 'db', 'd.*', 'a]b'), true);
  assert.equal(matches('db.[d.*].x', 'db', 'd.z', 'x'), false);
  assert.equal(TablePattern.parse('db.dbo.[a*]')?.exact, true);
});

test('what is not three parts is none', () => {
  for (const text of ['', 'a', 'a.b', 'a.b.c.d', 'a..c', 'a.b.', 'a.b.[c', 'a.b.c]', 'a.b.[]', 'a.b.[c]]'])
    assert.equal(TablePattern.parse(text), undefined, text);
});
