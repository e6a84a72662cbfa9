import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBoundary, readBoundary } from '../../src/debezium/readBoundary.ts';
import { MAX_BOUNDARY_BYTES } from '../../src/limits.ts';
import { parseLsn } from '../../src/model/lsn.ts';
import { boundaryMessages } from '../../src/transactions/boundaryMessage.ts';
import { groupChanges, withChanges } from '../../src/transactions/trackedChange.ts';
import type { TrackedTransaction } from '../../src/transactions/transactionItem.ts';

const lsn = parseLsn('00000025:00000d08:0025');
assert.ok(lsn !== undefined);

function ended(...tables: readonly string[]): TrackedTransaction {
  assert.ok(lsn !== undefined);
  const changes = tables.map((table, index) => ({
    db: 'testDB',
    epoch: 0,
    lsn,
    number: index + 1,
    table: `testDB.dbo.${table}`,
    time: null,
  }));
  const [delta] = groupChanges(changes, 1000);
  assert.ok(delta !== undefined);
  const tracked = withChanges(undefined, delta);
  assert.ok(tracked !== undefined);
  const boundaries = { revision: 1, sent: { begin: false, end: 0 } };
  return { ...tracked, end: { by: 'position', at: 2000 }, boundaries };
}

const parsed = (tracked: TrackedTransaction) => boundaryMessages(tracked).map((text) => JSON.parse(text));

test('the messages are those that Debezium documents, with a time and an id', () => {
  const messages = parsed(ended('tablea', 'tableb'));
  assert.deepEqual(
    messages.map(({ ts_ms, message_id, ...debezium }) => debezium),
    [
      { status: 'BEGIN', id: '00000025:00000d08:0025', event_count: null, data_collections: null },
      {
        status: 'END',
        id: '00000025:00000d08:0025',
        event_count: 2,
        data_collections: [
          { data_collection: 'testDB.dbo.tablea', event_count: 1 },
          { data_collection: 'testDB.dbo.tableb', event_count: 1 },
        ],
      },
    ],
  );
  assert.deepEqual(
    messages.map(({ ts_ms, message_id }) => [ts_ms, message_id]),
    [
      [1000, 'testDB:00000025:00000d08:0025:BEGIN'],
      [2000, 'testDB:00000025:00000d08:0025:END:1'],
    ],
  );
});

test('what reads Debezium reads them', () => {
  const [begin, end] = parsed(ended('tablea'));
  assert.ok(isBoundary(begin) && isBoundary(end));
  assert.deepEqual(readBoundary(begin), { status: 'BEGIN', lsn, eventCount: null, dataCollections: null });
  assert.deepEqual(readBoundary(end), {
    status: 'END',
    lsn,
    eventCount: 1,
    dataCollections: [{ dataCollection: 'testDB.dbo.tablea', eventCount: 1 }],
  });
});

// Event Hubs refuses a message of more than 1 MB, and the host would try it for ever, with all that come with it.
test('a message that is too large for a hub goes without its tables', () => {
  const tables = Array.from({ length: 2200 }, (_, index) => `${'t'.repeat(420)}${index}`);
  const [, text = ''] = boundaryMessages(ended(...tables));
  assert.ok(text.length <= MAX_BOUNDARY_BYTES);
  const { event_count, data_collections } = JSON.parse(text);
  assert.deepEqual([event_count, data_collections], [2200, null]);
});
