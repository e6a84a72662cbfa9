import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { resolveLargeValues, WrongLargeValue } from '../../src/reader.ts';

const text = '漢字\u{1f600}'.repeat(100);
const content = Buffer.from(text);
const reference = {
  $blob: 'rows/00/t/r/v/s',
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
};

test('texts take the place of their references, the rest stays', async () => {
  const item = {
    id: 'x',
    row: { a: reference, b: null, ['__proto__']: 1, c: 'small' },
    _ces: { version: 'v' },
  };
  const asked: string[] = [];
  const resolved = await resolveLargeValues(item, async (name) => {
    asked.push(name);
    return new Uint8Array(content);
  });
  assert.deepEqual(asked, [reference.$blob]);
  assert.deepEqual(resolved, { ...item, row: { a: text, b: null, ['__proto__']: 1, c: 'small' } });
});

test('an item without references costs nothing', async () => {
  const never = async (): Promise<never> => assert.fail('nothing to read');
  for (const item of [
    { id: 'x', deleted: true },
    { id: 'x', row: { a: 'text', b: null } },
  ])
    assert.equal(await resolveLargeValues(item, never), item);
});

test('another content is refused, whether shorter or of the same length, and a failure is passed on', async () => {
  const item = { row: { a: reference } };
  for (const wrong of [content.subarray(1), Buffer.from(content).fill(65)])
    await assert.rejects(
      resolveLargeValues(item, async () => wrong),
      (error) => error instanceof WrongLargeValue && error.message.includes(reference.$blob),
    );
  const gone = new Error('404');
  await assert.rejects(
    resolveLargeValues(item, () => Promise.reject(gone)),
    gone,
  );
});
