import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { captureTime } from '../../../local/input/captureTime.ts';

test('converts the times around noon and midnight', () => {
  assert.equal(captureTime('8/7/2026 4:25:00 PM'), '2026-08-07T16:25:00.000Z');
  assert.equal(captureTime('12/31/2026 12:00:00 AM'), '2026-12-31T00:00:00.000Z');
  assert.equal(captureTime('1/1/2026 12:59:59 PM'), '2026-01-01T12:59:59.000Z');
  assert.equal(captureTime('11/16/2016 4:44:11 AM'), '2016-11-16T04:44:11.000Z');
});

test('converts every second the way the US culture prints it', () => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    hour12: true,
  });
  const seconds = fc.integer({ min: Date.UTC(2014, 0) / 1000, max: Date.UTC(2100, 0) / 1000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const time = new Date(second * 1000);
      const text = format.format(time).replace(',', '').replace(/\s/g, ' ');
      assert.equal(captureTime(text), time.toISOString());
    }),
  );
});

test('refuses what is no such time', () => {
  for (const text of [
    '',
    '13/1/2026 1:00:00 AM',
    '2/30/2026 1:00:00 AM',
    '1/1/2026 13:00:00',
    '1/1/2026 0:00:00 AM',
  ]) {
    assert.throws(() => captureTime(text), RangeError, text);
  }
});
