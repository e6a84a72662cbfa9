import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bug } from '../../src/errors/bug.ts';
import { DataError } from '../../src/errors/dataError.ts';
import { batchReport } from '../../src/steps/batchReport.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { insertEvent } from '../support/testEvent.ts';
import { wholeEvents } from '../support/wholeEvents.ts';

const [applied, superseded, heldEvent, excludedEvent] = wholeEvents(
  [1, 2, 3, 4].map((id) => insertEvent(id, id)),
);
const [parked, copy, bad, earlier, held, boundary] = hubMessages(
  ['p', 'c', 'b', 'e', 'h', 't'].map((text) => Buffer.from(text)),
);
assert.ok(applied && superseded && heldEvent && excludedEvent);
assert.ok(parked && copy && bad && earlier && held && boundary);

const messages = [
  ...[applied, superseded].flatMap(({ segments }) => segments.map(({ message }) => message)),
  parked,
  copy,
  bad,
  held,
  boundary,
  ...heldEvent.segments.map(({ message }) => message),
  ...excludedEvent.segments.map(({ message }) => message),
];
const error = new DataError('no-row', 'x');
const results = {
  messages,
  ignored: [boundary],
  assembled: {
    events: [applied, superseded],
    rejected: [],
    parked: [parked],
    superseded: [copy],
    withheld: [held],
  },
  folded: {
    rows: [],
    rejected: [],
    excluded: [excludedEvent],
    notes: { unparsedValues: 3, unknownColumns: 4 },
    notesByTable: new Map(),
  },
  settled: { applied: [applied], superseded: [superseded], withheld: [heldEvent], rejected: [] },
  letters: [
    { message: bad, error },
    { message: earlier, error },
  ],
  operations: { reads: 5, writes: 6, failedWrites: 7, requestUnits: 8.5, largeValues: 0 },
};

test('every message is counted once, letters of earlier batches apart', () => {
  assert.deepEqual(batchReport(results), {
    messages: 9,
    changes: 2,
    applied: 1,
    superseded: 2,
    excluded: 2,
    parked: 1,
    deadLettered: 1,
    withheld: 2,
    released: 1,
    reasons: { 'no-row': 2 },
    rows: 0,
    reads: 5,
    writes: 6,
    failedWrites: 7,
    requestUnits: 8.5,
    largeValues: 0,
    unparsedValues: 3,
    unknownColumns: 4,
  });
});

test('a message that is missing from the books, or is in them twice, is a defect', () => {
  assert.throws(() => batchReport({ ...results, letters: [] }), Bug);
  const twice = { ...results, settled: { ...results.settled, applied: [applied, superseded] } };
  assert.throws(() => batchReport(twice), Bug);
});
