import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compile, field, type Resource, snapshotOf, withoutBicep } from '../support/bicep.ts';

const skip = withoutBicep();
const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

/** What the module deploys with these options. */
async function deployed(alerts: string, parkedHours = 24): Promise<readonly Resource[]> {
  const { resources } = await snapshotOf(`using 'modules/alerts.bicep'
param name = 'replica'
param location = 'westeurope'
param tags = { owner: 'data' }
param applicationInsightsId = '/insights'
param cosmosAccountId = '/cosmos'
param parkedHours = ${parkedHours}
param alerts = ${alerts}
`);
  return resources;
}

let defaults: Promise<readonly Resource[]> | undefined;
const byDefault = (): Promise<readonly Resource[]> => {
  defaults ??= deployed("{ emails: ['team@example.org'] }");
  return defaults;
};

const isRule = ({ type }: Resource): boolean => type !== 'Microsoft.Insights/actionGroups';
const named = (resources: readonly Resource[], name: string): Resource => {
  const found = resources.find((resource) => resource.name === `replica-${name}`);
  assert.ok(found !== undefined, name);
  return found;
};
const criterion = (rule: Resource): unknown => field(rule, 'properties.criteria.allOf.0');

test('the module and its parts are clean', { skip }, async () => {
  assert.equal((await compile('modules/alerts.bicep')).diagnostics, '');
});

test('every alert of the list is there, on, and tells the action group', { skip }, async () => {
  const resources = await byDefault();
  const group = resources.find((resource) => !isRule(resource));
  assert.equal(field(group, 'properties.emailReceivers.0.emailAddress'), 'team@example.org');
  const rules = resources.filter(isRule);
  assert.deepEqual(
    rules.map(({ name }) => name),
    [
      'replica-lag',
      'replica-no-events',
      'replica-not-reporting',
      'replica-dead-letters',
      'replica-oldest-parked',
      'replica-failures',
      'replica-throttled',
      'replica-normalized-ru',
    ],
  );
  for (const rule of rules) {
    assert.equal(field(rule, 'properties.enabled'), true, rule.name);
    assert.deepEqual(rule['tags'], { owner: 'data' });
    const told =
      field(rule, 'properties.actions.actionGroups.0') ?? field(rule, 'properties.actions.0.actionGroupId');
    assert.equal(told, group?.id, rule.name);
  }
});

test('every description says what to do and links to a section that exists', { skip }, async () => {
  const sections = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title)));
  assert.ok(sections.has('many-429'));
  for (const rule of (await byDefault()).filter(isRule)) {
    const description = String(field(rule, 'properties.description'));
    const [, advice, section = ''] = /^(.{60,}\.) See docs\/operations\.md#(.+)$/.exec(description) ?? [];
    assert.ok(advice !== undefined, description);
    assert.ok(sections.has(section), `${rule.name}: no section ${section}`);
  }
});

test('queries deliver the columns that their alerts measure and split by', { skip }, async () => {
  for (const rule of (await byDefault()).filter(
    ({ type }) => type === 'Microsoft.Insights/scheduledQueryRules',
  )) {
    const query = String(field(criterion(rule), 'query'));
    const columns = [field(criterion(rule), 'metricMeasureColumn'), ...splitBy(rule)];
    for (const column of columns) assert.match(query, new RegExp(`\\b${column} = `), rule.name);
    // Only a query that keeps the time can be looked at window by window.
    if (field(criterion(rule), 'failingPeriods.numberOfEvaluationPeriods') !== 1)
      assert.match(query, /\| project timestamp,[^|]*$/);
    assert.deepEqual(field(rule, 'properties.scopes'), ['/insights']);
  }
});

test('silence fires: the query has a row when nothing was reported', { skip }, async () => {
  const resources = await byDefault();
  for (const name of ['no-events', 'not-reporting']) {
    const rule = named(resources, name);
    // Without `by`, summarize gives one row for no rows, and a sum of 0.
    assert.match(String(field(criterion(rule), 'query')), /\| summarize \w+ = sum\(\w+\)\s*$/);
    assert.equal(field(criterion(rule), 'operator'), 'LessThan');
    assert.equal(field(criterion(rule), 'threshold'), 1);
    assert.deepEqual(splitBy(rule), []);
  }
});

test('thresholds and windows are parameters, and every alert can be off', { skip }, async () => {
  const resources = await deployed(`{
  emails: []
  runbooks: 'https://wiki.example.org/replica'
  lag: { seconds: 7, enabled: false }
  noEvents: { minutes: 1440, enabled: false }
  notReporting: { minutes: 120, enabled: false }
  deadLetters: { messages: 8, enabled: false }
  oldestParked: { hours: 9, enabled: false }
  failures: { spans: 1, enabled: false }
  throttled: { requests: 11, enabled: false }
  normalizedRu: { percent: 12, enabled: false }
}`);
  const thresholds = resources.filter(isRule).map((rule) => field(criterion(rule), 'threshold'));
  assert.deepEqual(thresholds, [7, 1, 1, 8, 9 * 60, 1, 11, 12]);
  for (const rule of resources.filter(isRule))
    assert.equal(field(rule, 'properties.enabled'), false, rule.name);
  assert.equal(field(named(resources, 'no-events'), 'properties.windowSize'), 'P1D');
  assert.equal(field(named(resources, 'not-reporting'), 'properties.windowSize'), 'PT2H');
  const description = String(field(named(resources, 'lag'), 'properties.description'));
  assert.match(description, /more than 7 seconds .* See https:\/\/wiki\.example\.org\/replica#changes-/);
});

// The average of all partitions stays low while a single one is at its limit.
test('of throughput the busiest partition counts, of requests those that were refused', {
  skip,
}, async () => {
  const dimensionsOf = async (name: string): Promise<unknown> =>
    field(criterion(named(await byDefault(), name)), 'dimensions');
  assert.deepEqual(await dimensionsOf('normalized-ru'), [
    { name: 'PartitionKeyRangeId', operator: 'Include', values: ['*'] },
  ]);
  assert.deepEqual(await dimensionsOf('throttled'), [
    { name: 'StatusCode', operator: 'Include', values: ['429'] },
  ]);
});

test('an incomplete event alerts before it is given up', { skip }, async () => {
  const ruleOf = (rules: readonly Resource[]): Resource => named(rules, 'oldest-parked');
  const minutesOf = (rules: readonly Resource[]): unknown => field(criterion(ruleOf(rules)), 'threshold');
  assert.equal(minutesOf(await byDefault()), 12 * 60);
  const soon = await deployed('{ emails: [] }', 1);
  assert.equal(minutesOf(soon), 30);
  assert.match(String(field(ruleOf(soon), 'properties.description')), /more than 30 minutes\./);
  await assert.rejects(
    deployed('{ emails: [], oldestParked: { hours: 6 } }', 6),
    /make it less than replica\.parkedHours, 6/,
  );
});

test('what Azure would refuse, and what nothing reads, does not compile', { skip }, async () => {
  const wrong = deployed(`{
  emails: []
  noEvents: { minutes: 61 }
  notReporting: { minute: 30 }
  lags: { seconds: 7 }
  lag: { seconds: 0 }
  failures: { spans: 6 }
}`);
  await assert.rejects(wrong, ({ message }: Error) => {
    for (const found of ['type "61"', '"minute"', '"lags"', 'equal to 0', 'equal to 6'])
      assert.ok(message.includes(found), message);
    return true;
  });
});

function splitBy(rule: Resource): readonly unknown[] {
  const dimensions = field(criterion(rule), 'dimensions');
  assert.ok(Array.isArray(dimensions));
  return dimensions.map((dimension) => field(dimension, 'name'));
}

/** How GitHub names the anchor of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
