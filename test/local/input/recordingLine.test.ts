import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRecordingLine, parseRecordingLine } from '../../../local/input/recordingLine.ts';
import { recordingLine } from './inputs.ts';

test('reads the documented line', () => {
  const line =
    '{"partition":"0","sequenceNumber":12,"offset":"4096","enqueuedTime":"2026-08-07T16:25:00.890Z","partitionKey":null,"body":"AP8="}';
  assert.deepEqual(parseRecordingLine(line), {
    message: {
      body: Buffer.from([0x00, 0xff]),
      partitionId: '0',
      sequenceNumber: 12,
      offset: '4096',
      enqueuedTime: '2026-08-07T16:25:00.890Z',
      partitionKey: null,
    },
    batch: undefined,
  });
});

test('reads a body given as text, an empty one too', () => {
  for (const bodyText of ['', 'naïve \u2028 🙂', '{"a":1}']) {
    const parsed = parseRecordingLine(recordingLine({ bodyText }));
    assert.ok(typeof parsed !== 'string');
    assert.deepEqual(parsed.message.body, Buffer.from(bodyText, 'utf8'));
  }
});

test('reads a line without a partition key, and one with a batch number', () => {
  const parsed = parseRecordingLine(recordingLine({ partitionKey: undefined, batch: 7 }));
  assert.ok(typeof parsed !== 'string');
  assert.equal(parsed.message.partitionKey, null);
  assert.equal(parsed.batch, 7);
});

const wrongLines: readonly (readonly [string, string, RegExp])[] = [
  ['not JSON', '{"partition":', /^it is not JSON$/],
  ['an array', '[]', /expected object/],
  [
    'no body',
    recordingLine({ bodyText: undefined }).replace(',"bodyText":"x"', ''),
    /either "body" or "bodyText"/,
  ],
  [
    'two bodies',
    recordingLine({ body: 'AA==', bodyText: 'x' }).replace('}', ',"bodyText":"x"}'),
    /either "body"/,
  ],
  ['base64 with other characters', recordingLine({ body: 'A-_=' }), /^body: expected base64/],
  ['base64 without padding', recordingLine({ body: 'AA' }), /^body: expected base64/],
  ['half of a surrogate pair', recordingLine({ bodyText: '\ud800' }), /^bodyText: half of a surrogate/],
  ['a partition as a number', recordingLine({ partition: 0 }), /^partition: .*expected string/],
  [
    'a partition that is no number',
    recordingLine({ partition: 'a' }),
    /^partition: expected a partition number/,
  ],
  ['a negative sequence number', recordingLine({ sequenceNumber: -1 }), /^sequenceNumber: /],
  ['a fraction', recordingLine({ sequenceNumber: 0.5 }), /^sequenceNumber: /],
  ['a number that is not exact', recordingLine({ sequenceNumber: 2 ** 53 }), /^sequenceNumber: /],
  ['an offset as a number', recordingLine({ offset: 1 }), /^offset: /],
  [
    'a time without a zone',
    recordingLine({ enqueuedTime: '2026-08-07T16:25:00' }),
    /^enqueuedTime: expected a UTC/,
  ],
  ['a misspelt field', recordingLine({ bodytext: 'x' }), /bodytext/],
];

for (const [name, line, problem] of wrongLines) {
  test(`says what is wrong: ${name}`, () => {
    const parsed = parseRecordingLine(line);
    assert.ok(typeof parsed === 'string');
    assert.match(parsed, problem);
  });
}

test('writes text as text, and bytes or control characters as base64', () => {
  const format = (body: Uint8Array) => {
    const message = {
      body,
      partitionId: '0',
      sequenceNumber: 0,
      offset: '0',
      enqueuedTime: '2026-08-07T16:25:00Z',
      partitionKey: null,
    };
    return JSON.parse(formatRecordingLine({ message, batch: 0 }));
  };
  assert.equal(format(Buffer.from('{"a":"\\"ü"}'))['bodyText'], '{"a":"\\"ü"}');
  assert.equal(format(Buffer.from('\ufeff{}'))['bodyText'], '\ufeff{}');
  assert.equal(format(Buffer.from([0xff]))['body'], '/w==');
  assert.equal(format(Buffer.from([0, 0, 0]))['body'], 'AAAA');
});
