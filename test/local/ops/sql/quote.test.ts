import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkName } from '../../../../local/ops/sql/checkName.ts';
import { makeSteps } from '../../../../local/ops/sql/makeSteps.ts';
import type { Plan } from '../../../../local/ops/sql/plan.ts';
import { dynamicSql, expression, identifier, literal } from '../../../../local/ops/sql/quote.ts';
import { renderScript } from '../../../../local/ops/sql/renderScript.ts';
import { type TableName, tableText } from '../../../../local/ops/sql/tableName.ts';
import { UserError } from '../../../../local/run/userError.ts';
import { dynamicStatements, type Token, tokens } from './tokens.ts';

interface Names {
  readonly database: string;
  readonly group: string;
  readonly credential: string;
  readonly policy: string;
  readonly column: string;
  readonly table: TableName;
}

/** Names that could mean something else, in every piece of the language that can end a quote. */
const name = fc
  .array(
    fc.constantFrom(
      "'",
      "''",
      ']',
      ']]',
      '[',
      '"',
      '--',
      '/*',
      '*/',
      ';',
      '@',
      '$',
      '%',
      '{',
      'N',
      ' ',
      '.',
      '\n',
      'GO',
      'a',
      'É',
      '😀',
      '\ud800',
      '$(',
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
  .filter(isName);

const names: fc.Arbitrary<Names> = fc.record({
  database: name,
  group: name,
  credential: name,
  policy: name,
  column: name,
  table: fc.record({ schema: name, table: name }),
});

const plain: Names = {
  database: 'd',
  group: 'g',
  credential: 'c',
  policy: 'p',
  column: 's',
  table: { schema: 'x', table: 't' },
};

function isName(text: string): boolean {
  try {
    checkName('--name', text);
    return true;
  } catch (error) {
    assert.ok(error instanceof UserError);
    return false;
  }
}

function plans({ database, group, credential, policy, column, table }: Names): Plan[] {
  const source = { dialect: 'sql-server', database, group, tables: [table] } as const;
  const setUp = {
    ...source,
    kind: 'set-up',
    namespace: 'n.servicebus.windows.net',
    hub: 'h',
    credential,
    partitioning: { scheme: 'Column', column },
    encoding: 'JSON',
    messageKb: 256,
    changedColumnsOnly: false,
  } as const;
  return [
    { ...setUp, authentication: { kind: 'key', policy } },
    { ...setUp, authentication: { kind: 'entra' } },
    { ...source, kind: 'seed', column, number: 1, rows: 10 },
    { ...source, kind: 'seed-end', column },
    { ...source, kind: 'disable' },
  ];
}

/** Tokens without what a name may change: the values of literals and quoted names, and the text of comments. */
const shape = (list: readonly Token[]): string[] =>
  list.map(({ kind, value }) => (kind === 'word' || kind === 'sign' ? value : kind));

test('a literal, a name, and a literal in a statement put together at run time come back as they were', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.deepEqual(tokens(literal(text)), [{ kind: 'literal', value: text }]);
      if (text !== '') assert.deepEqual(tokens(identifier(text)), [{ kind: 'name', value: text }]);
      const [statement = ''] = dynamicStatements(
        tokens(dynamicSql`PRINT ${literal(text)} ${expression('@more')}`),
      );
      assert.deepEqual(tokens(statement), [
        { kind: 'word', value: 'PRINT' },
        { kind: 'literal', value: text },
        { kind: 'word', value: '@more' },
      ]);
    }),
  );
});

test('whatever a name is, a script has the same statements, and the name in the same places', () => {
  const expected = plans(plain).map((plan) => makeSteps(plan));
  fc.assert(
    fc.property(names, (given) => {
      for (const [index, plan] of plans(given).entries()) {
        const steps = makeSteps(plan);
        assert.equal(steps.length, expected[index]?.length);
        for (const [number, { sql }] of steps.entries()) {
          const [is, should] = [tokens(sql), tokens(expected[index]?.[number]?.sql ?? '')];
          assert.deepEqual(shape(is), shape(should));
          const [inner, innerShould] = [dynamicStatements(is), dynamicStatements(should)];
          assert.deepEqual(
            inner.map((text) => shape(tokens(text))),
            innerShould.map((text) => shape(tokens(text))),
          );
          assertNames([is, ...inner.map(tokens)].flat(), [should, ...innerShould.map(tokens)].flat(), given);
        }
      }
    }),
  );
});

/** Where the plain script has just a name, the other has just that name. */
function assertNames(is: readonly Token[], should: readonly Token[], given: Names): void {
  const of: Readonly<Record<string, string>> = {
    d: given.database,
    g: given.group,
    c: given.credential,
    p: given.policy,
    s: given.column,
    x: given.table.schema,
    t: given.table.table,
    'x.t': tableText(given.table),
    '[x].[t]': `${identifier(given.table.schema)}.${identifier(given.table.table)}`,
  };
  for (const [index, { kind, value }] of should.entries()) {
    if ((kind === 'name' || kind === 'literal') && Object.hasOwn(of, value))
      assert.equal(is[index]?.value, of[value]);
  }
}

test('a script has as many batches as steps, and one variable of sqlcmd at most, whatever the names are', () => {
  const expected = plans(plain).map((plan) => shape(tokens(renderScript(plan, makeSteps(plan)))));
  fc.assert(
    fc.property(names, (given) => {
      for (const [index, plan] of plans(given).entries()) {
        const steps = makeSteps(plan);
        const script = renderScript(plan, steps);
        assert.deepEqual(shape(tokens(script)), expected[index]);
        assert.equal(script.split('\n').filter((line) => /^\s*GO\b/i.test(line)).length, steps.length);
        const variables = [...script.matchAll(/\$\(/g)].length;
        assert.equal(variables, plan.kind === 'set-up' && plan.authentication.kind === 'key' ? 1 : 0);
      }
    }),
  );
});

test('an attempt to end a statement stays a name', () => {
  const evil = "x'); DROP TABLE dbo.Orders; --";
  const [, , plan] = plans({ ...plain, table: { schema: `dbo]; ${evil}`, table: evil } });
  assert.ok(plan !== undefined);
  for (const { sql } of makeSteps(plan)) {
    const all = [tokens(sql), ...dynamicStatements(tokens(sql)).map(tokens)].flat();
    assert.deepEqual(
      all.filter(({ kind, value }) => kind === 'word' && value === 'DROP'),
      [],
    );
  }
});
