import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replicate } from '../../src/pipeline.ts';
import { avroMessage } from '../support/avroMessage.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices } from '../support/testServices.ts';

const HOT_CHANGES = 40_000;
/** Changes of the hot row in a batch, and of other rows beside it: `maxEventBatchSize` of host.json together. */
const HOT_IN_BATCH = 290;
const OTHERS_IN_BATCH = 10;
const HOT_ROW = 1;
/** What the item of so small a row takes with two versions in it. */
const LARGEST_ITEM_BYTES = 600;

// One row that never rests must not take operations, and so time, from the rows that share its batches.
test(`a row that changes ${HOT_CHANGES} times costs each batch a read and a write, and its item does not grow`, async () => {
  const services = testServices();
  const { store } = services;
  let position = 0;
  let others = 0;
  const hot = (): Buffer => {
    position += 1;
    return avroMessage(insertEvent(HOT_ROW, position, position === 1 ? {} : { operation: 'UPD' }));
  };
  const other = (): Buffer => {
    position += 1;
    others += 1;
    return avroMessage(insertEvent(HOT_ROW + others, position));
  };
  for (let sent = 0; sent < HOT_CHANGES; sent += HOT_IN_BATCH) {
    const bodies = [
      ...Array.from({ length: HOT_IN_BATCH }, hot),
      ...Array.from({ length: OTHERS_IN_BATCH }, other),
    ];
    const { report } = await replicate(hubMessages(bodies, sent), services);
    assert.equal(report.applied, bodies.length);
    assert.deepEqual(
      [report.reads, report.writes, report.failedWrites],
      sent === 0 ? [0, 1 + OTHERS_IN_BATCH, 0] : [1, 1 + OTHERS_IN_BATCH, 0],
    );
  }
  const item = store.item(`shop.dbo.Items:${HOT_ROW}`);
  assert.ok(JSON.stringify(item).length < LARGEST_ITEM_BYTES, JSON.stringify(item));
});
