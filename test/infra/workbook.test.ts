import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { compile, field, INFRA, snapshotOf, withoutBicep } from '../support/bicep.ts';

describe('the workbook', { skip: withoutBicep() }, () => {
  let properties: unknown;
  let items: readonly unknown[];

  before(async () => {
    const { resources } = await snapshotOf(`using 'modules/workbook.bicep'
param name = 'replica'
param location = 'westeurope'
param tags = {}
param applicationInsightsId = '/insights'
param cosmosAccountId = '/cosmos'
param eventHubNamespaceId = '/hub'
param eventHubName = 'changes'
`);
    assert.equal(resources.length, 1);
    properties = resources[0]?.['properties'];
    const { version, items: list } = JSON.parse(String(field(properties, 'serializedData')));
    assert.equal(version, 'Notebook/1.0');
    items = list;
  });

  const ofType = (type: number): readonly unknown[] => items.filter((item) => field(item, 'type') === type);

  it('compiles without warnings', async () => {
    assert.equal((await compile('modules/workbook.bicep')).diagnostics, '');
  });

  it("shows the queries of its folder, each once, in the app's component", () => {
    const queries = ofType(3).map((item) => String(field(item, 'content.query')));
    const folder = globSync('queries/workbook/*.kql', { cwd: INFRA });
    assert.deepEqual(
      queries.toSorted(),
      folder.map((file) => readFileSync(join(INFRA, file), 'utf8')).toSorted(),
    );
    assert.equal(field(properties, 'sourceId'), '/insights');
    for (const item of ofType(3))
      assert.equal(field(item, 'content.resourceType'), 'microsoft.insights/components');
  });

  it('asks Cosmos DB for throughput and refused requests, and the hub for its messages', () => {
    const asked = ofType(10).map((item) => [
      field(item, 'content.resourceIds.0'),
      String(field(item, 'content.metrics.0.metric')).replace(/.*-/, ''),
      field(item, 'content.filters.0.values.0'),
    ]);
    assert.deepEqual(asked, [
      ['/hub', 'IncomingMessages', 'changes'],
      ['/cosmos', 'NormalizedRUConsumption', undefined],
      ['/cosmos', 'TotalRequests', '429'],
    ]);
  });

  it('has one time range, which everything follows', () => {
    assert.equal(field(ofType(9)[0], 'content.parameters.0.name'), 'TimeRange');
    for (const item of [...ofType(3), ...ofType(10)])
      assert.equal(field(item, 'content.timeContextFromParameter'), 'TimeRange');
    const parameters = new Set(
      [...String(field(properties, 'serializedData')).matchAll(/\{([A-Z]\w*)[:}]/g)].map(([, name]) => name),
    );
    assert.deepEqual([...parameters], ['TimeRange']);
  });

  it('has items of known types only, each with a name of its own', () => {
    assert.deepEqual([...new Set(items.map((item) => field(item, 'type')))].toSorted(), [1, 10, 3, 9]);
    const names = items.map((item) => field(item, 'name'));
    assert.equal(new Set(names).size, items.length);
    assert.ok(names.every((name) => typeof name === 'string' && name !== ''));
  });
});
