import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowTables } from '../../../local/run/rowTable.ts';
import type { StoredItem } from '../../../local/run/storedItem.ts';
import { cutToWidth, displayWidth } from '../../../local/run/textTable.ts';

function row(table: string, id: number, more: object = {}): StoredItem {
  return { id: `s.dbo.${table}:${id}`, db: 's', schema: 'dbo', table, key: { id }, row: { id, ...more } };
}

test('rows are aligned, numbers to the right, in the order of their keys', () => {
  const items = [row('T', 10, { name: 'x' }), row('T', 9, { name: '佐藤' }), row('T', 8)];
  assert.deepEqual(rowTables(items, 80), ['', 's.dbo.T', 'id  name', '──  ────', ' 8', ' 9  佐藤', '10  x']);
});

test('tombstones are not shown, and what is left out is told', () => {
  const items = [1, 2, 3, 4, 5].map((id) => row('T', id, { a: 'x'.repeat(20), b: 1 }));
  const lines = rowTables([...items, { ...row('T', 6), deleted: true }], 25);
  assert.equal(lines[1], 's.dbo.T  (and 2 rows, 1 column more)');
  assert.equal(lines.length, 7);
  assert.ok(lines.slice(2).every((line) => displayWidth(line) <= 25));
});

test('only the first tables are shown', () => {
  const lines = rowTables(
    [...'abcdefghi'].map((table) => row(table, 1)),
    80,
  );
  assert.equal(lines.at(-1), 'and 2 more tables');
});

test('long values are cut by what they take on the screen, and control characters do no harm', () => {
  assert.equal(cutToWidth('abcdef', 6), 'abcdef');
  assert.equal(cutToWidth('abcdefg', 6), 'abcde…');
  assert.equal(cutToWidth('京都府宇治', 6), '京都…');
  assert.equal(cutToWidth('a\nb\u001b[31m', 10), 'a b [31m');
});
