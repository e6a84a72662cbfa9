import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ITEM_BYTES } from '../src/limits.ts';
import { replicate } from '../src/pipeline.ts';
import type { DocumentId } from '../src/replica/documentId.ts';
import type { ReplicaItem } from '../src/replica/replicaItem.ts';
import { RuleBook } from '../src/settings/ruleBook.ts';
import { avroData, avroMessage } from './support/avroMessage.ts';
import { expectedItems } from './support/expectedItems.ts';
import { hubMessages } from './support/hubMessages.ts';
import { jsonMessage } from './support/jsonMessage.ts';
import { splitMessages } from './support/splitMessages.ts';
import { insertEvent } from './support/testEvent.ts';
import { testServices, testSettings } from './support/testServices.ts';

test('a batch with everything at once', async () => {
  const rules = new RuleBook({ tables: { 'shop.dbo.*': { largeValues: 'dead-letter' } } });
  const services = testServices({ settings: { ...testSettings, rules } });
  const id = 'shop.dbo.Items:90' as DocumentId;
  await services.store.execute([{ kind: 'create', id, item: { id, mine: false } as unknown as ReplicaItem }]);
  const insert = insertEvent(1, 10);
  const update = insertEvent(1, 11, { operation: 'UPD', old: '{"Id":"1"}' });
  const older = insertEvent(1, 9, { operation: 'UPD' });
  const removed = insertEvent(2, 12, { operation: 'DEL', old: '{"Id":"2"}', current: '{}' });
  const moved = insertEvent(4, 13, { operation: 'UPD', old: '{"Id":"3","Name":"a"}', current: '{"Id":"4"}' });
  const odd = insertEvent(5, 14, { current: '{"Id":"five","Name":null}' });
  const split = insertEvent(6, 15);
  const waiting = insertEvent(7, 16);
  const large = insertEvent(8, 17, {
    current: JSON.stringify({ Id: '8', Name: 'x'.repeat(MAX_ITEM_BYTES) }),
  });
  const foreign = insertEvent(90, 18, { operation: 'UPD' });
  const [s0, s1] = splitMessages(split, { form: 'latin1', base: 1, cuts: [99] });
  const [w0] = splitMessages(waiting, { form: 'avro', base: 0, cuts: [99] });
  assert.ok(s0 && s1 && w0);

  const { report, letters } = await replicate(
    hubMessages([
      s1,
      jsonMessage(update),
      Buffer.from('junk'),
      avroMessage(insert),
      avroMessage(older),
      avroMessage(insert),
      w0,
      jsonMessage(removed, { segmentindex: 1 }),
      s0,
      s0,
      avroMessage(moved, avroData(moved, { finalevent: false })),
      jsonMessage(odd),
      jsonMessage(split, { segmentindex: 1, finalsegment: false, data: 'other' }),
      jsonMessage(large),
      jsonMessage(foreign),
      jsonMessage(insertEvent(9, 19, { pkkey: [] })),
      jsonMessage(insertEvent(9, 20), { type: 'other' }),
    ]),
    services,
  );

  const { reads, writes, failedWrites, requestUnits, ...counts } = report;
  assert.deepEqual(counts, {
    messages: 17,
    changes: 11,
    // older (a batch is folded in the order of versions), insert, update, removed, two segments of split, moved, odd
    applied: 8,
    // the copy of insert, the copy of s0
    superseded: 2,
    excluded: 0,
    largeValues: 0,
    parked: 1,
    deadLettered: 6,
    withheld: 0,
    released: 0,
    reasons: {
      'unknown-format': 1,
      'segment-conflict': 1,
      'item-too-large': 1,
      'foreign-item': 1,
      'no-key': 1,
      'unknown-type': 1,
    },
    // 1, 2, 3, 4, 5, 6, 8, 90
    rows: 8,
    unparsedValues: 1,
    unknownColumns: 0,
  });
  assert.equal(letters.length, 6);
  assert.equal(writes, 6);
  assert.equal(failedWrites, 0);
  assert.equal(requestUnits, reads + writes + failedWrites);
  assert.ok(reads >= 4, `${reads} reads`);
  const items = services.store.items().filter((item) => item.id !== id);
  assert.deepEqual(items, expectedItems([insert, update, older, removed, moved, odd, split]));
  assert.deepEqual(services.parking.parked(), [`${waiting.logicalid}#0`]);
});

test('an empty batch is nothing to do', async () => {
  const services = testServices();
  const { report, letters } = await replicate([], services);
  assert.deepEqual([report.messages, report.rows, letters.length], [0, 0, 0]);
  assert.deepEqual(
    [services.parking.calls, services.store.received],
    [[], { create: 0, read: 0, replace: 0 }],
  );
});

test('a row that changes many times in a batch is written once', async () => {
  const services = testServices();
  const events = Array.from({ length: 50 }, (_, index) =>
    insertEvent(1, index + 1, index === 0 ? {} : { operation: 'UPD' }),
  );
  const { report } = await replicate(
    hubMessages(events.map((event) => jsonMessage(event)).reverse()),
    services,
  );
  assert.deepEqual([report.applied, report.superseded, report.reads, report.writes], [50, 0, 0, 1]);
  assert.deepEqual(services.store.items(), expectedItems(events));
});

test('a batch that comes again writes nothing', async () => {
  const services = testServices();
  const events = [insertEvent(1, 1), insertEvent(1, 2, { operation: 'UPD' }), insertEvent(2, 3)];
  const batch = hubMessages(events.map((event) => avroMessage(event)));
  await replicate(batch, services);
  const { report } = await replicate(batch, services);
  assert.deepEqual([report.applied, report.superseded, report.writes], [0, 3, 0]);
  assert.deepEqual(services.store.items(), expectedItems(events));
});

test('a change older than what is stored is superseded and writes nothing', async () => {
  const services = testServices();
  const newer = insertEvent(1, 5);
  const older = insertEvent(1, 4, { operation: 'DEL', old: '{"Id":"1"}', current: '{}' });
  await replicate(hubMessages([jsonMessage(newer)]), services);
  const { report } = await replicate(hubMessages([jsonMessage(older)]), services);
  assert.deepEqual([report.superseded, report.reads, report.writes], [1, 1, 0]);
  assert.deepEqual(services.store.items(), expectedItems([newer]));
});

test('what is thrown besides data errors is not taken for one', async () => {
  const services = testServices();
  services.store.gate = async () => {
    throw new TypeError('a defect');
  };
  await assert.rejects(replicate(hubMessages([jsonMessage(insertEvent(1, 1))]), services), TypeError);
  assert.deepEqual(services.deadLetters.reasons(), []);
});
