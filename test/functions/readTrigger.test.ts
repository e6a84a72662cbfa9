import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvocationContext, type TriggerMetadata } from '@azure/functions';
import { readTrigger } from '../../src/functions/readTrigger.ts';

function context(triggerMetadata?: TriggerMetadata): InvocationContext {
  return new InvocationContext(triggerMetadata === undefined ? {} : { triggerMetadata });
}

const partitionContext = {
  fullyQualifiedNamespace: 'ns.example',
  eventHubName: 'changes',
  consumerGroup: '$Default',
  partitionId: '3',
};
const properties = [
  { sequenceNumber: 4711, offsetString: '99', partitionKey: null, enqueuedTimeUtc: '2026-08-07T16:25:01.5' },
  { sequenceNumber: 4712, offsetString: '120', partitionKey: 'a', enqueuedTimeUtc: '2026-08-07T16:25:02' },
];
const bodies = [Buffer.from([6, 0xff, 0]), Buffer.from('{}')];

test('bodies come with the metadata of their place', () => {
  assert.deepEqual(readTrigger(bodies, context({ partitionContext, systemPropertiesArray: properties })), [
    {
      body: bodies[0],
      source: {
        hub: 'changes',
        partition: '3',
        sequenceNumber: '4711',
        offset: '99',
        enqueuedTime: '2026-08-07T16:25:01.5Z',
      },
    },
    {
      body: bodies[1],
      source: {
        hub: 'changes',
        partition: '3',
        sequenceNumber: '4712',
        offset: '120',
        enqueuedTime: '2026-08-07T16:25:02Z',
      },
      keyed: true,
    },
  ]);
});

test('without metadata the bodies come alone', () => {
  for (const without of [context(), context({})]) {
    assert.deepEqual(
      readTrigger(bodies, without),
      bodies.map((body) => ({ body, source: {} })),
    );
  }
});

for (const [what, systemPropertiesArray] of [
  ['shorter', properties.slice(1)],
  ['longer', [...properties, properties[0]]],
  ['empty', []],
  ['an object', { 0: properties[0], 1: properties[1], length: 2 }],
  ['text', 'ab'],
  ['null', null],
] as const) {
  test(`metadata that is ${what} is left out, the partition is kept`, () => {
    const messages = readTrigger(
      bodies,
      context({ partitionContext, systemPropertiesArray } as TriggerMetadata),
    );
    for (const { source } of messages) assert.deepEqual(source, { hub: 'changes', partition: '3' });
  });
}

test('metadata of another JSON type is left out, one by one', () => {
  const systemPropertiesArray = [
    null,
    { sequenceNumber: { low: 1, high: 0 }, offsetString: null, enqueuedTimeUtc: 5 },
  ];
  const odd = { eventHubName: null, partitionId: 3 };
  assert.deepEqual(
    readTrigger(bodies, context({ partitionContext: odd, systemPropertiesArray })).map(
      ({ source }) => source,
    ),
    [{ partition: '3' }, { partition: '3', enqueuedTime: '5Z' }],
  );
  for (const partition of [null, 'text', 5]) {
    const [message] = readTrigger(bodies, context({ partitionContext: partition } as TriggerMetadata));
    assert.deepEqual(message?.source, {});
  }
});

for (const [sent, time] of [
  ['2026-08-07T16:25:01', '2026-08-07T16:25:01Z'],
  ['2026-08-07T16:25:01.123', '2026-08-07T16:25:01.123Z'],
  ['2026-08-07T16:25:01.123Z', '2026-08-07T16:25:01.123Z'],
  ['2026-08-07T16:25:01+00:00', '2026-08-07T16:25:01+00:00'],
  ['2026-08-07T16:25:01-0330', '2026-08-07T16:25:01-0330'],
] as const) {
  test(`the enqueued time ${sent} is ${time}`, () => {
    const [message] = readTrigger(
      bodies.slice(0, 1),
      context({ systemPropertiesArray: [{ enqueuedTimeUtc: sent }] } as TriggerMetadata),
    );
    assert.equal(message?.source.enqueuedTime, time);
  });
}

test('the offset may be a number, in the older name', () => {
  const [message] = readTrigger(bodies.slice(0, 1), context({ systemPropertiesArray: [{ offset: 4096 }] }));
  assert.equal(message?.source.offset, '4096');
});

test('bodies of another kind become bytes', () => {
  const views = Buffer.from('xx{}yy');
  const sent = [
    '{"a":"ä"}',
    { a: 'ä' },
    [1],
    5,
    null,
    new Uint8Array(views.buffer, views.byteOffset + 2, 2),
    undefined,
    '',
  ];
  const read = readTrigger(sent, context());
  assert.deepEqual(
    read.map(({ body }) => body.toString('utf8')),
    ['{"a":"ä"}', '{"a":"ä"}', '[1]', '5', 'null', '{}', '', ''],
  );
  assert.ok(read.every(({ body }) => Buffer.isBuffer(body)));
});

test('a single body is a batch of one, an empty batch is none', () => {
  assert.deepEqual(
    readTrigger('x', context()).map(({ body }) => body.toString()),
    ['x'],
  );
  assert.deepEqual(readTrigger([], context()), []);
});

test('a view into a shared pool is its own bytes', () => {
  const pool = Buffer.from('before{}after');
  const [message] = readTrigger([pool.subarray(6, 8)], context());
  assert.equal(message?.body.toString(), '{}');
});

test('the same body twice is two messages', () => {
  const [a, b] = readTrigger([bodies[0], bodies[0]], context());
  assert.notEqual(a, b);
});
