import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { metrics } from '../../src/telemetry/metrics.ts';
import { INFRA } from '../support/bicep.ts';
import { kustoComplaints } from '../support/kusto.ts';
import { queryNames } from '../support/queryNames.ts';

const files = globSync('queries/*/*.kql', { cwd: INFRA });
const textOf = (file: string): string => readFileSync(join(INFRA, file), 'utf8');
const source = globSync('src/functions/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** Metrics that no query shows, and why. */
const leftOut: readonly string[] = [];

for (const file of files) {
  test(`${file} is a query that Kusto understands`, () => {
    assert.deepEqual(kustoComplaints(textOf(file)), []);
  });

  test(`${file} names what the app emits`, () => {
    const text = textOf(file);
    assert.deepEqual(queryNames(text).wrong, []);
    // The words that log lines begin with, and the names of functions.
    for (const [, words = ''] of text.matchAll(/message startswith '([^']+)'/g))
      assert.ok(source.includes(`\`${words}$`), `no log line begins with ${words}`);
    for (const [, list = ''] of text.matchAll(/has_any \(([^)]+)\)/g))
      for (const name of list.replaceAll(/['\s]/g, '').split(','))
        assert.match(source, new RegExp(`app\\.\\w+\\('${name}',`));
  });
}

test('every metric is in the workbook, or left out on purpose', () => {
  const shown = files.filter((file) => file.startsWith('queries/workbook/')).map(textOf);
  const names = new Set(shown.flatMap((text) => queryNames(text).metrics));
  const missing = Object.keys(metrics).filter((name) => !names.has(name));
  assert.deepEqual(missing, leftOut);
});

test('an error in a query would be found', () => {
  assert.match(kustoComplaints('customMetrics | where nam == "x"').join(), /^line 1: .*nam/);
  assert.match(kustoComplaints('customMetrics\n| summarise count()').join(), /^line 2: /);
  assert.deepEqual(kustoComplaints('traces | summarize count() by bin(timestamp, {time:grain})'), []);
});

test('a misspelt metric or dimension would be found, and so would one of another metric', () => {
  const query = `customMetrics // 'replica.comment'
| where name == 'replica.lag'
| summarize max(valueMax) by tostring(customDimensions['table'])`;
  assert.deepEqual(queryNames(query), { metrics: ['replica.lag'], dimensions: ['table'], wrong: [] });
  const wrong = (...change: [string, string]): readonly string[] =>
    queryNames(query.replace(...change)).wrong;
  assert.deepEqual(wrong('.lag', '.lags'), ['replica.lags', 'table']);
  assert.deepEqual(wrong("['table']", "['tables']"), ['tables']);
  assert.deepEqual(wrong("['table']", "['reason']"), ['reason']);
  assert.deepEqual(wrong("['table'])", '.table)'), ['customDimensions.table)']);
  assert.deepEqual(wrong("'replica.lag'", "'repilca.lag'"), ['repilca.lag', 'table']);
  assert.deepEqual(wrong("'replica.lag'", '"replica.lag"'), ['table', '== "replica.lag"']);
  assert.deepEqual(wrong("== 'replica.lag'", "has 'replica.lag'"), ['table', "has 'replica.lag'"]);
  assert.deepEqual(wrong("== 'replica.lag'", "in ('replica.lag', 'replica.lagg')"), ['replica.lagg']);
  assert.deepEqual(wrong("== 'replica.lag'", "startswith 'replica.'"), []);
});
