import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { dataErrors } from '../../src/errors/dataErrors.ts';
import { metrics } from '../../src/telemetry/metrics.ts';
import { warnings } from '../../src/warnings/warnings.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

test('the page has every code with its meaning and what to do, and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \| (.+) \|$/gm)].map((row) => row.slice(1));
  const catalogue = [...Object.entries(dataErrors), ...Object.entries(warnings)];
  assert.deepEqual(
    rows,
    catalogue.map(([code, { meaning, action }]) => [code, meaning, action]),
  );
});

test('the page has every metric with its dimensions, and no other', () => {
  const rows = [...page.matchAll(/^\| (`replica\.[^|]+) \|([a-z, ]*)\|/gm)].flatMap(
    ([, names = '', by = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, by.trim()]),
  );
  assert.deepEqual(
    rows.sort(),
    Object.entries(metrics)
      .map(([name, { dimensions }]) => [name, dimensions.join(', ')])
      .sort(),
  );
});
