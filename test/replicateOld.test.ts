import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replicate } from '../src/pipeline.ts';
import { avroMessage } from './support/avroMessage.ts';
import { expectedItems } from './support/expectedItems.ts';
import { hubMessages } from './support/hubMessages.ts';
import { jsonMessage } from './support/jsonMessage.ts';
import { splitMessages } from './support/splitMessages.ts';
import { insertEvent } from './support/testEvent.ts';
import { testServices } from './support/testServices.ts';

const existingOnly = { createMissing: false };

const stored = insertEvent(1, 10);
const change = insertEvent(1, 11, { operation: 'UPD', old: '{"Id":"1"}' });
const insert = insertEvent(2, 12);
const update = insertEvent(3, 13, { operation: 'UPD' });
const removal = insertEvent(4, 14, { operation: 'DEL', old: '{"Id":"4"}', current: '{}' });

test('messages older than tombstones are applied to what exists, and nothing is created', async () => {
  const services = testServices();
  await replicate(hubMessages([jsonMessage(stored)]), services);
  const messages = hubMessages([change, insert, update, removal, stored].map((event) => jsonMessage(event)));
  const { report, withheld } = await replicate(messages, services, existingOnly);
  assert.deepEqual(
    [report.applied, report.withheld, report.superseded, report.deadLettered, report.parked],
    [1, 3, 1, 0, 0],
  );
  assert.deepEqual(withheld, messages.slice(1, 4));
  assert.deepEqual(services.store.items(), expectedItems([stored, change]));
});

test('a tombstone that ends between reading and writing is not replaced by a row', async () => {
  const services = testServices();
  await replicate(hubMessages([jsonMessage(stored)]), services);
  services.store.fault = ({ kind, id }) => {
    if (kind === 'replace') services.store.remove(id);
    return undefined;
  };
  const { report } = await replicate(hubMessages([jsonMessage(change)]), services, existingOnly);
  assert.deepEqual([report.withheld, report.applied], [1, 0]);
  assert.deepEqual(services.store.items(), []);
});

test('a change of key is withheld when the new row is not there', async () => {
  const services = testServices();
  await replicate(hubMessages([jsonMessage(stored)]), services);
  const moved = insertEvent(9, 15, { operation: 'UPD', old: '{"Id":"1","Name":"a"}', current: '{"Id":"9"}' });
  const { report } = await replicate(hubMessages([jsonMessage(moved)]), services, existingOnly);
  assert.equal(report.withheld, 1);
  assert.deepEqual(
    services.store.items().map(({ id, deleted }) => [id, deleted]),
    [['shop.dbo.Items:1', true]],
  );
});

test('segments are not parked, since whoever completes the event would create its row', async () => {
  const services = testServices();
  await replicate(hubMessages([jsonMessage(stored)]), services);
  const cut = { form: 'avro', base: 0, cuts: [40] } as const;
  const [first, last] = splitMessages(change, cut);
  const [lonely] = splitMessages(insertEvent(1, 16, { operation: 'UPD' }), cut);
  assert.ok(first && last && lonely);
  const messages = hubMessages([last, lonely, first]);
  const { report, withheld } = await replicate(messages, services, existingOnly);
  assert.deepEqual([report.applied, report.withheld], [2, 1]);
  assert.deepEqual(withheld, [messages[1]]);
  assert.deepEqual(services.parking.calls, []);
  assert.deepEqual(services.store.items(), expectedItems([stored, change]));
});

test('what cannot be read is dead-lettered all the same', async () => {
  const services = testServices();
  const batch = hubMessages([Buffer.from('{'), avroMessage(insertEvent(1, 1, { pkkey: [] }))]);
  const { report, withheld } = await replicate(batch, services, existingOnly);
  assert.deepEqual([report.deadLettered, withheld], [2, []]);
  assert.deepEqual(services.deadLetters.reasons(), ['invalid-json', 'no-key']);
});
