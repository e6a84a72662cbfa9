import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTableName, quotedTable, tableText } from '../../../../local/ops/sql/tableName.ts';
import { UserError } from '../../../../local/run/userError.ts';

test('tables are read as T-SQL writes them', () => {
  assert.deepEqual(parseTableName('--table', 'dbo.Orders'), { schema: 'dbo', table: 'Orders' });
  assert.deepEqual(parseTableName('--table', 'Überblick._a$1'), { schema: 'Überblick', table: '_a$1' });
  assert.deepEqual(parseTableName('--table', '[a b].[c.d]'), { schema: 'a b', table: 'c.d' });
  assert.deepEqual(parseTableName('--table', "dbo.[it's ]]x[]"), { schema: 'dbo', table: "it's ]x[" });
});

test('whatever a name is, it is read back from what it is written as', () => {
  const part = fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== '' && !text.includes('$('));
  fc.assert(
    fc.property(part, part, (schema, table) => {
      assert.deepEqual(parseTableName('--table', tableText({ schema, table })), { schema, table });
      assert.deepEqual(parseTableName('--table', quotedTable({ schema, table })), { schema, table });
    }),
  );
});

test('what is not just a schema and a name is refused in one line', () => {
  const long = 'x'.repeat(129);
  for (const [text, message] of [
    ['Orders', /is not a table such as dbo\.Orders/],
    ['db.dbo.Orders', /is not a table/],
    ['dbo.', /is not a table/],
    ['dbo.a b', /is not a table/],
    ['dbo . Orders', /is not a table/],
    ['dbo.#Orders', /is not a table/],
    ['dbo.[a]b]', /is not a table/],
    ['dbo.[]', /is not a table/],
    ['[dbo].[a]; DROP TABLE x; --]', /is not a table/],
    ["dbo.Orders'", /is not a table/],
    [`dbo.${long}`, /is longer than the 128 characters/],
    ['dbo.[ ]', /is empty/],
    ['dbo.[a\nGO\nb]', /has a control character or a line break/],
    ['dbo.[a\u2028b]', /has a control character or a line break/],
    ['dbo.[$(x)]', /has \$\(, which sqlcmd replaces/],
    ['dbo.[\ud800]', /is not valid Unicode/],
  ] as const) {
    assert.throws(
      () => parseTableName('--table', text),
      (error) => {
        assert.ok(error instanceof UserError, text);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /[\n\r]/);
        return true;
      },
    );
  }
});
