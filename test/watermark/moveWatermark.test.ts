import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from '../../src/deadline.ts';
import { MAX_OPEN_TRANSACTIONS } from '../../src/limits.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { toTransactionItem } from '../../src/transactions/transactionItem.ts';
import { noWatermark, toWatermarkItem } from '../../src/transactions/watermark.ts';
import { moveWatermark } from '../../src/watermark/moveWatermark.ts';
import { commitAt } from '../support/commitAt.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';

const options = { partitions: 1, idleMs: 1000, withOrder: false, ttlSeconds: 60 };
const state = { firstSeen: 0, time: null, handled: new Map(), dead: new Map(), untracked: false };
const more = { late: 0, reported: { missing: 0, late: 0 }, end: undefined };

test('what was not looked at holds the watermark below what ended above it', async () => {
  const store = new MemoryProgress();
  const above = { commit: commitAt(2 * MAX_OPEN_TRANSACTIONS), time: null };
  const item = toWatermarkItem('shop', { ...noWatermark, ends: [above] }, 1, 0);
  await store.execute([{ kind: 'create', id: item.id, pkkey: item.pkkey, item }]);
  const open = Array.from({ length: MAX_OPEN_TRANSACTIONS }, (_, n) => ({
    stored: toTransactionItem({ db: 'shop', commit: commitAt(n + 1), state, ...more }, options),
    etag: '',
  }));
  const lsnAfter = async (looked: typeof open) => {
    const deadline = new Deadline(60);
    const situation = {
      db: 'shop',
      open: looked,
      judge: () => 'idle' as const,
      holds: { commits: [], oldest: undefined },
      now: 1,
    };
    const report = await moveWatermark(situation, new Tracking(store, options), deadline);
    deadline.end();
    return Number.parseInt(report.lsn ?? '', 16);
  };
  assert.equal(await lsnAfter(open), MAX_OPEN_TRANSACTIONS - 1);
  // These are all that are open.
  assert.equal(await lsnAfter(open.slice(1)), 2 * MAX_OPEN_TRANSACTIONS);
});
