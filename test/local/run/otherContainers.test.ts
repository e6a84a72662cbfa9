import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { compareWithOracle } from '../../../local/run/compareWithOracle.ts';
import { FunctionLog } from '../../../local/run/functionLog.ts';
import { startLocalServers } from '../../../local/run/localServers.ts';
import { playMessages } from '../../../local/run/playMessages.ts';
import { readContainer, readReplica } from '../../../local/run/readReplica.ts';
import { defaultSimulationOptions } from '../../../local/simulation/options.ts';
import { simulate } from '../../../local/simulation/simulate.ts';
import { bundle, ensureBundle } from './runMain.ts';

before(ensureBundle);

test('a source of two databases converges into the containers that REPLICA_CONFIG names', async (t) => {
  const config = {
    databases: { Plant: { name: 'Works', epoch: 2 } },
    tables: { 'Works.*.*': { container: 'works' }, 'Shop.archive.*': { container: 'archive' } },
  };
  const servers = await startLocalServers(false, { REPLICA_CONFIG: JSON.stringify(config) });
  t.after(() => servers.close());
  assert.deepEqual(servers.otherContainers, ['archive', 'works']);
  const { batches, tables } = simulate({ ...defaultSimulationOptions, changes: 300, encoding: 'mixed' });
  await playMessages(servers, new FunctionLog(), {
    bundle,
    batches,
    concurrency: 'perPartition',
    onMessages: () => undefined,
  });

  const renamed = tables.map((table) => (table.db === 'Plant' ? { ...table, db: 'Works' } : table));
  const comparison = compareWithOracle(renamed, await readReplica(servers));
  assert.deepEqual(comparison.differences, []);
  assert.ok(comparison.equalRows > 50);
  const homes = { rows: /^Shop\.(dbo|sales)$/, archive: /^Shop\.archive$/, works: /^Works\.dbo$/ };
  for (const [container, home] of Object.entries(homes)) {
    const items = await readContainer(servers, container);
    assert.ok(items.length > 0, container);
    for (const { db, schema } of items) assert.match(`${db}.${schema}`, home);
  }
});

test('servers are not started for a configuration that the function refuses', async () => {
  const message = /^REPLICA_CONFIG is not valid: .*did you mean "tables"/;
  await assert.rejects(startLocalServers(false, { REPLICA_CONFIG: '{"table":{}}' }), {
    name: 'ConfigurationError',
    message,
  });
});
