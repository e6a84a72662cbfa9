import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DataError } from '../../src/errors/dataError.ts';
import { BLOB_CONCURRENCY } from '../../src/limits.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { lettersOf, putAside } from '../../src/steps/putAside.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testServices, testSettings } from '../support/testServices.ts';
import { wholeEvents } from '../support/wholeEvents.ts';

const { rules } = testSettings;
const error = new DataError('no-row', 'nothing');
const { signal } = new AbortController();

test('every segment becomes a letter; table and key are told where decoding got that far', () => {
  const [event] = wholeEvents([insertEvent(1, 1)]);
  assert.ok(event !== undefined);
  const [segment] = event.segments;
  assert.ok(segment !== undefined);
  const twice = [segment, { ...segment, message: { ...segment.message } }];
  const letters = lettersOf({ segments: twice, parked: false, error, change: event.change }, rules);
  assert.deepEqual(
    letters.map(({ message }) => message),
    twice.map(({ message }) => message),
  );
  for (const { table, key } of letters) {
    assert.deepEqual([table?.name, key], ['Items', [{ column: 'Id', value: '1' }]]);
  }
  assert.deepEqual(lettersOf({ segments: [segment], parked: false, error }, rules), [
    { message: segment.message, error },
  ]);
});

// The metadata of a dead letter is read by more people, and shown in more places, than its content.
test('what REPLICA_CONFIG masks or excludes of a key is not in the clear', () => {
  const pkkey = ['a', 'b', 'c'].map((columnname) => ({ columnname, value: `marker ${columnname}` }));
  const [event] = wholeEvents([insertEvent(1, 1, { pkkey })]);
  assert.ok(event !== undefined);
  const columns = { exclude: ['a'], mask: { b: { fixed: '-' } } };
  const masking = new RuleBook({ tables: { 'shop.dbo.Items': { columns } } }, 0, 'salt');
  const [letter] = lettersOf({ ...event, error }, masking);
  assert.deepEqual(letter?.key, [
    { column: 'b', value: '-' },
    { column: 'c', value: 'marker c' },
  ]);
});

test('all letters are kept, a bounded number at once', async () => {
  const services = testServices();
  let underWay = 0;
  let most = 0;
  services.deadLetters.before = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };
  const messages = hubMessages(Array.from({ length: 100 }, (_, index) => Buffer.from(String(index))));
  await putAside(
    messages.map((message) => ({ message, error })),
    services,
    signal,
  );
  assert.equal(services.deadLetters.letters.size, 100);
  assert.ok(most > 1 && most <= BLOB_CONCURRENCY, `${most} at once`);
});
