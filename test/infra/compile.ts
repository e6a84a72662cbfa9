import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { compile, compileText, formatted, INFRA, infraText, withoutBicep } from '../support/bicep.ts';
import { parameterFiles } from './deployments.ts';

const templates = readdirSync(INFRA, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.bicep'));

for (const file of ['main.bicep', ...parameterFiles]) {
  test(`${file} compiles without errors and warnings`, { skip: withoutBicep() }, async () => {
    const { template, diagnostics } = await compile(file);
    assert.equal(diagnostics, '');
    assert.notEqual(template, undefined);
  });
}

// The compiler goes from main.bicep to what it uses; what nothing uses would never be compiled.
test('every template is used by another one', () => {
  for (const file of templates.filter((name) => name !== 'main.bicep')) {
    const name = file.split('/').at(-1);
    const users = templates.filter((other) => infraText(other).includes(`${name}'`));
    assert.notDeepEqual(users, [], file);
  }
});

/** What only looks better in another way; a user's own parameter file may have it. */
const STYLE = [
  'decompiler-cleanup',
  'no-unnecessary-dependson',
  'no-unused-existing-resources',
  'no-unused-imports',
  'no-unused-params',
  'no-unused-vars',
  'prefer-interpolation',
  'prefer-unquoted-property-names',
  'simplify-interpolation',
  'simplify-json-null',
  'use-parent-property',
  'use-resource-symbol-reference',
  'use-safe-access',
];

test('every rule of the linter is an error, but for style, and the one that goes by the date', () => {
  const rules = JSON.parse(infraText('bicepconfig.json').replace(/^ *\/\/.*$/gm, '')).analyzers.core.rules;
  const { 'use-recent-api-versions': byDate, ...others } = rules;
  assert.deepEqual(byDate, { level: 'off' });
  assert.ok(Object.keys(others).length >= 40);
  for (const [rule, setting] of Object.entries(others))
    assert.deepEqual(setting, { level: STYLE.includes(rule) ? 'warning' : 'error' }, rule);
});

test('a parameter file of a user is not refused for its style', { skip: withoutBicep() }, async () => {
  const text = infraText('dev.bicepparam').replace('parkedHours:', "'parkedHours':");
  const { template, diagnostics } = await compileText(text);
  assert.match(diagnostics, /^\S+ Warning prefer-unquoted-property-names: [^\n]*$/);
  assert.notEqual(template, undefined);
});

test('the templates are formatted', { skip: withoutBicep() }, async () => {
  for (const file of [...templates, ...parameterFiles])
    assert.equal(infraText(file), await formatted(file), `${file}: run bicep format on it`);
});
