import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { foldRows } from '../../src/steps/foldRows.ts';
import { insertEvent } from '../support/testEvent.ts';
import { testSettings } from '../support/testServices.ts';
import { wholeEvents } from '../support/wholeEvents.ts';

test('changes of one row come together, each with its event', () => {
  const events = wholeEvents([insertEvent(1, 1), insertEvent(2, 2), insertEvent(1, 3, { operation: 'UPD' })]);
  const { rows, rejected, notes } = foldRows(events, testSettings);
  assert.deepEqual(
    rows.map(({ id, changes, events: of }) => [id, changes.length, of]),
    [
      ['shop.dbo.Items:1', 2, [events[0], events[2]]],
      ['shop.dbo.Items:2', 1, [events[1]]],
    ],
  );
  assert.deepEqual(rejected, []);
  assert.deepEqual(notes, { unparsedValues: 0, unknownColumns: 0 });
});

test('a change of the key touches two rows; columns in neither image are counted', () => {
  const moved = insertEvent(2, 2, {
    operation: 'UPD',
    old: '{"Id":"1"}',
    current: '{"Id":"2"}',
  });
  const { rows, notes } = foldRows(wholeEvents([moved]), testSettings);
  assert.deepEqual(
    rows.map(({ id, changes }) => [id, changes[0]?.newest.operation]),
    [
      ['shop.dbo.Items:1', 'DEL'],
      ['shop.dbo.Items:2', 'UPD'],
    ],
  );
  assert.equal(notes.unknownColumns, 1);
});

test('an event that cannot become a row is rejected with its change, and the others go on', () => {
  const events = wholeEvents([
    insertEvent(1, 1, { pkkey: [] }),
    insertEvent(2, 2),
    insertEvent(3, 3, { current: '{}' }),
  ]);
  const { rows, rejected } = foldRows(events, testSettings);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['shop.dbo.Items:2'],
  );
  assert.deepEqual(
    rejected.map(({ error, change }) => [error.code, change]),
    [
      ['no-key', events[0]?.change],
      ['no-row', events[2]?.change],
    ],
  );
});

test('values that are not of their type are counted', () => {
  const odd = insertEvent(1, 1, { current: '{"Id":"one","Name":"x"}' });
  assert.equal(foldRows(wholeEvents([odd]), testSettings).notes.unparsedValues, 1);
});

test('the settings of the table decide how updates are meant', () => {
  const update = wholeEvents([insertEvent(1, 1, { operation: 'UPD' })]);
  const rules = new RuleBook({ tables: { 'shop.dbo.Items': { updates: 'replace' } } });
  assert.equal(foldRows(update, testSettings).rows[0]?.changes[0]?.image, null);
  assert.notEqual(foldRows(update, { ...testSettings, rules }).rows[0]?.changes[0]?.image, null);
});
