import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isBlobStatus, orOutage } from '../../src/errors/blobErrors.ts';
import { assert as assertHolds, Bug } from '../../src/errors/bug.ts';
import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { DataError } from '../../src/errors/dataError.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import { OutageError } from '../../src/errors/outageError.ts';

test('each class has its name and is an Error', () => {
  for (const [error, name] of [
    [new Bug('x'), 'Bug'],
    [new ConfigurationError('x'), 'ConfigurationError'],
    [new DataError('no-key', 'x'), 'DataError'],
    [new OutageError('x'), 'OutageError'],
  ] as const) {
    assert.ok(error instanceof Error);
    assert.equal(error.name, name);
    assert.equal(error.message, 'x');
    assert.match(String(error.stack), new RegExp(`^(${name}|Error): x`));
  }
});

test('a data error has its code, and no code beside the catalogue compiles', () => {
  const code: ReasonCode = new DataError('no-row', 'nothing').code;
  assert.equal(code, 'no-row');
  // @ts-expect-error: not in the catalogue
  assert.equal(new DataError('no-such-code', 'nothing').message, 'nothing');
});

test('an outage keeps its cause', () => {
  const cause = new Error('socket');
  assert.equal(new OutageError('x', { cause }).cause, cause);
});

test('an assertion that does not hold is a bug', () => {
  assertHolds(true, 'never');
  assert.throws(() => assertHolds(false, 'two results'), new Bug('two results'));
});

describe('Blob storage', () => {
  const answer = (statusCode: number) =>
    Object.assign(new Error('marker'), { statusCode, code: 'BlobNotFound' });

  test('tells a status by its number', () => {
    assert.equal(isBlobStatus(answer(404), 404), true);
    assert.equal(isBlobStatus(answer(409), 404), false);
    assert.equal(isBlobStatus(new Error('404'), 404), false);
    assert.equal(isBlobStatus({ statusCode: 404 }, 404), false);
    assert.equal(isBlobStatus(undefined, 404), false);
  });

  test('gives its result', async () => {
    assert.equal(await orOutage('listing', async () => 7), 7);
  });

  test('that fails is an outage that says what was being done', async () => {
    const cause = answer(503);
    await assert.rejects(
      orOutage('listing parked segments', () => Promise.reject(cause)),
      (error) => {
        assert.ok(error instanceof OutageError);
        assert.equal(
          error.message,
          'Blob storage: listing parked segments failed (BlobNotFound); the batch comes again',
        );
        assert.equal(error.cause, cause);
        return true;
      },
    );
    await assert.rejects(
      orOutage('listing', () => Promise.reject('gone')),
      new OutageError('Blob storage: listing failed; the batch comes again', { cause: 'gone' }),
    );
  });
});

test('a data error does not carry a name as long as a message into the log', () => {
  assert.ok(new DataError('no-key', 'x'.repeat(1_000_000)).message.length < 3_000);
});
