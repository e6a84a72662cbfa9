import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWithOracle } from '../../local/run/compareWithOracle.ts';
import type { StoredItem } from '../../local/run/storedItem.ts';
import { keyChoices } from '../../local/simulation/keyChoices.ts';
import { defaultSimulationOptions, type SimulationOptions } from '../../local/simulation/options.ts';
import { simulate } from '../../local/simulation/simulate.ts';
import type { Message } from '../../src/model/message.ts';
import { replicate } from '../../src/pipeline.ts';
import type { ReplicaItem } from '../../src/replica/replicaItem.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { testServices, testSettings } from '../support/testServices.ts';

const base: SimulationOptions = {
  ...defaultSimulationOptions,
  changes: 400,
  encoding: 'mixed',
  generation: 'mixed',
  segmentBytes: 1_500,
  duplicates: 0.3,
  reorder: 0.6,
};

/** Plays a history through the pipeline. */
async function play(options: SimulationOptions) {
  const { batches, tables } = simulate(options);
  const rules = new RuleBook(readReplicaConfig(keyChoices(tables)));
  const services = testServices({ settings: { ...testSettings, rules } });
  const totals = { messages: 0, deadLettered: 0, excluded: 0, unparsedValues: 0, unknownColumns: 0 };
  for (const batch of batches) {
    const messages = batch.messages.map(
      ({ body, partitionKey }): Message => ({
        body: Buffer.from(body),
        source: {},
        ...(partitionKey !== null && { keyed: true as const }),
      }),
    );
    const { report } = await replicate(messages, services);
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += report[name];
  }
  const items = services.store.items() as unknown as readonly StoredItem[];
  return { items, totals, comparison: compareWithOracle(tables, items, options.format === 'debezium') };
}

for (const format of ['debezium', 'mixed'] as const) {
  for (const seed of [1, 2, 3]) {
    test(`a history told by ${format} gives the rows that the source has, seed ${seed}`, async () => {
      const { totals, comparison } = await play({
        ...base,
        format,
        seed,
        keyChanges: seed === 2 ? 'update' : 'delete-insert',
      });
      assert.deepEqual(comparison.differences, []);
      assert.ok(comparison.equalRows > 50 && comparison.equalTombstones > 5);
      assert.ok(totals.excluded > 50, 'boundaries, tombstones');
      assert.deepEqual([totals.deadLettered, totals.unparsedValues, totals.unknownColumns], [0, 0, 0]);
    });
  }
}

test('a Debezium stream and a CES stream of the same history give equal rows', async () => {
  const [ces, debezium] = await Promise.all([
    play({ ...base, seed: 4, format: 'ces' }),
    play({ ...base, seed: 4, format: 'debezium' }),
  ]);
  const rowsOf = ({ items }: typeof ces) =>
    items
      .map(({ id, pkkey, db, schema, table, key, row, deleted }) => ({
        id,
        pkkey,
        db,
        schema,
        table,
        key,
        row,
        deleted,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  assert.deepEqual(rowsOf(debezium), rowsOf(ces));
  // CES does not tell the place within the table: it is known when the transaction has ended.
  const transactions = ({ items }: typeof ces) =>
    new Map(
      items.map((item) => {
        const { transaction } = item._ces as ReplicaItem['_ces'];
        return [item.id, { ...transaction, data_collection_order: undefined }];
      }),
    );
  assert.deepEqual(transactions(debezium), transactions(ces));
});
