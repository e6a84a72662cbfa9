import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadLetterName } from '../../src/deadletter/deadLetterName.ts';
import { DataError } from '../../src/errors/dataError.ts';
import type { MessageSource } from '../../src/model/message.ts';

const error = new DataError('invalid-json', 'it is not JSON');
const source = { partition: '3', sequenceNumber: '4711', enqueuedTime: '2026-08-07T23:59:59.999Z' };
const now = new Date('2026-09-01T00:00:00Z');

const name = (body: string, from: MessageSource, at = now): string =>
  deadLetterName({ message: { body: Buffer.from(body), source: from }, error }, at);

test('a name tells day, reason, partition, sequence number and content', () => {
  // The digest is what `printf %s abc | sha256sum` starts with.
  assert.equal(name('abc', source), '2026-08-07/invalid-json/3-4711-ba7816bf8f01cfea');
});

test('the same message has the same name whenever it is put aside', () => {
  assert.equal(name('abc', source), name('abc', source, new Date('2030-01-01T00:00:00Z')));
});

test('other content, place or reason is another name', () => {
  const names = new Set([
    name('abc', source),
    name('abd', source),
    name('abc', { ...source, partition: '4' }),
    name('abc', { ...source, sequenceNumber: '4712' }),
    name('abc', { ...source, enqueuedTime: '2026-08-08T00:00:00.000Z' }),
    deadLetterName(
      { message: { body: Buffer.from('abc'), source }, error: new DataError('no-row', '') },
      now,
    ),
  ]);
  assert.equal(names.size, 6);
});

test('without metadata the day is that of now, and the rest is unknown', () => {
  assert.equal(name('abc', {}), '2026-09-01/invalid-json/unknown-unknown-ba7816bf8f01cfea');
});
