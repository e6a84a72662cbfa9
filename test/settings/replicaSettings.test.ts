import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReplicaSettings, updatesOf } from '../../src/settings/replicaSettings.ts';

const table = { db: 'db1', schema: 'dbo', name: 'Orders' };
const settings = (config: ReplicaSettings['config']): ReplicaSettings => ({
  epoch: 0,
  tombstoneSeconds: 60,
  parkedSeconds: 30,
  batchDeadlineSeconds: 60,
  config,
});

test('updates of a table are merged unless it says otherwise', () => {
  assert.equal(updatesOf(settings({}), table), 'merge');
  assert.equal(updatesOf(settings({ tables: {} }), table), 'merge');
  assert.equal(updatesOf(settings({ tables: { 'db1.dbo.Orders': {} } }), table), 'merge');
  assert.equal(updatesOf(settings({ tables: { 'db1.dbo.Orders': { updates: 'merge' } } }), table), 'merge');
  assert.equal(
    updatesOf(settings({ tables: { 'db1.dbo.Orders': { updates: 'replace' } } }), table),
    'replace',
  );
  assert.equal(updatesOf(settings({ tables: { 'db1.dbo.Other': { updates: 'replace' } } }), table), 'merge');
});
