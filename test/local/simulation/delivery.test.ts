import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HubMessage } from '../../../local/hubMessage.ts';
import { defaultSimulationOptions, type SimulationOptions } from '../../../local/simulation/options.ts';
import { type Simulation, simulate } from '../../../local/simulation/simulate.ts';
import { allMessages, readEvents, readMessage } from './readBack.ts';

const calm: SimulationOptions = { ...defaultSimulationOptions, changes: 1200, duplicates: 0, reorder: 0 };

const anyDelivery = fc.record({
  seed: fc.nat(),
  changes: fc.integer({ min: 0, max: 120 }),
  partitions: fc.integer({ min: 1, max: 32 }),
  partitionScheme: fc.constantFrom('none', 'streamGroup', 'table', 'column'),
  segmentBytes: fc.integer({ min: 400, max: 4000 }),
  duplicates: fc.double({ min: 0, max: 1, noNaN: true }),
  reorder: fc.double({ min: 0, max: 1, noNaN: true }),
  batchSize: fc.integer({ min: 1, max: 50 }),
});

test('whatever the delivery, every event arrives whole and every partition is numbered without gaps', () => {
  fc.assert(
    fc.property(anyDelivery, (delivery) => {
      const options: SimulationOptions = { ...calm, ...delivery };
      const simulation = simulate(options);
      assert.equal(readEvents(simulation).length, options.changes);
      assert.equal(allMessages(simulation).length, simulation.statistics.messages);
      for (const { partitionId, messages } of simulation.batches) {
        assert.ok(messages.length >= 1 && messages.length <= options.batchSize);
        assert.ok(messages.every((message) => message.partitionId === partitionId));
      }
      for (const messages of Map.groupBy(
        allMessages(simulation),
        ({ partitionId }) => partitionId,
      ).values()) {
        const firstSeen = [...new Set(messages)];
        assert.deepEqual(
          firstSeen.map(({ sequenceNumber }) => sequenceNumber),
          firstSeen.map((_, index) => index),
        );
        assert.ok(
          firstSeen.every(
            ({ offset }, index) => index === 0 || Number(offset) > Number(firstSeen[index - 1]?.offset),
          ),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('the same options give the same bytes, another seed gives others', () => {
  const options = {
    ...defaultSimulationOptions,
    changes: 600,
    encoding: 'mixed',
    generation: 'mixed',
  } as const;
  assert.equal(digest(simulate(options)), digest(simulate(options)));
  assert.deepEqual(simulate(options), simulate(options));
  assert.notEqual(digest(simulate(options)), digest(simulate({ ...options, seed: 2 })));
  assert.notEqual(digest(simulate(options)), digest(simulate({ ...options, seed: 1 + 2 ** 32 })));
});

test('how messages are written and delivered does not change what the tables hold', () => {
  const { tables } = simulate(calm);
  const other = simulate({
    ...calm,
    partitions: 9,
    encoding: 'avro',
    reorder: 1,
    duplicates: 1,
    batchSize: 3,
  });
  assert.deepEqual(other.tables, tables);
});

test('in order means in the order of commits, each message once', () => {
  const simulation = simulate({ ...calm, partitions: 1 });
  const reads = allMessages(simulation).map(readMessage);
  for (const group of Map.groupBy(reads, ({ logicalId }) => logicalId.split(':')[0]).values()) {
    const places = group.map(({ logicalId, index }) => `${logicalId} ${String(index).padStart(6, '0')}`);
    assert.deepEqual(places, places.toSorted());
  }
  assert.equal(new Set(reads.map(({ id }) => id)).size, reads.length);
  assert.equal(simulation.statistics.duplicates, 0);
});

test('reorder moves messages inside a partition and lets partitions run apart', () => {
  const moved = (reorder: number): number => {
    const messages = allMessages(simulate({ ...calm, partitions: 1, reorder })).map(readMessage);
    const [group] = Map.groupBy(messages, ({ logicalId }) => logicalId.split(':')[0]).values();
    return (group ?? []).filter(
      ({ logicalId }, index, all) => index > 0 && logicalId < (all[index - 1]?.logicalId ?? ''),
    ).length;
  };
  assert.equal(moved(0), 0);
  assert.ok(moved(0.2) > 100);
  assert.ok(moved(1) > moved(0.05));

  const partitionsInTurn = (reorder: number) =>
    simulate({ ...calm, reorder, batchSize: 1 }).batches.map(({ partitionId }) => partitionId);
  assert.deepEqual(partitionsInTurn(0).slice(0, 8), ['0', '1', '2', '3', '0', '1', '2', '3']);
  assert.notDeepEqual(partitionsInTurn(0.5).slice(0, 40), partitionsInTurn(0).slice(0, 40));
});

test('duplicates are redeliveries of the same message and resends with the same or a new id', () => {
  const simulation = simulate({ ...calm, duplicates: 0.4 });
  const messages = allMessages(simulation);
  const distinct = [...new Set(messages)];
  assert.ok(distinct.length < messages.length, 'redelivered');

  const copies = [...Map.groupBy(distinct.map(readMessage), placeOf).values()].filter(
    (group) => group.length > 1,
  );
  const sameId = copies.filter((group) => new Set(group.map(({ id }) => id)).size === 1);
  assert.ok(sameId.length > 0 && sameId.length < copies.length, 'resent with the same id, and with another');
  for (const group of copies) {
    assert.equal(new Set(group.map(({ data }) => data.toString())).size, 1);
    assert.equal(new Set(group.map(({ message }) => position(message))).size, group.length);
  }
  const { duplicates } = simulation.statistics;
  const places = new Set(messages.map((message) => placeOf(readMessage(message))));
  assert.equal(messages.length - duplicates, places.size);
  const share = duplicates / places.size;
  assert.ok(share > 0.3 && share < 0.5, `share ${share}`);
});

test('the partition scheme decides the partition', () => {
  const read = (partitionScheme: SimulationOptions['partitionScheme']) =>
    readEvents(simulate({ ...calm, partitions: 8, segmentBytes: 2000, partitionScheme }));
  const homes = (events: ReturnType<typeof read>, keyOf: (event: (typeof events)[number]) => string) =>
    [...Map.groupBy(events, keyOf).values()].map(
      (group) =>
        new Set(group.flatMap(({ segments }) => segments.map(({ message }) => message.partitionId))).size,
    );
  const one = (size: number): boolean => size === 1;
  assert.ok(homes(read('streamGroup'), ({ logicalId }) => logicalId.slice(0, 36)).every(one));
  const table = ({ payload: { eventsource } }: ReturnType<typeof read>[number]): string =>
    `${eventsource.db}.${eventsource.schema}.${eventsource.tbl}`;
  assert.ok(homes(read('table'), table).every(one));
  assert.ok(
    homes(read('column'), (event) => table(event) + JSON.stringify(event.payload.eventsource.pkkey)).every(
      one,
    ),
  );
  assert.ok(!homes(read('column'), table).every(one));

  const roundRobin = read('none').filter(({ segments }) => segments.length > 1);
  assert.ok(
    roundRobin.every(({ segments }) => new Set(segments.map(({ message }) => message.partitionId)).size > 1),
  );
  assert.ok(
    roundRobin.every(({ segments }) => segments.every(({ message }) => message.partitionKey === null)),
  );
});

test('batches are at most as large as asked, and often that large', () => {
  const sizes = simulate({ ...calm, batchSize: 10 }).batches.map(({ messages }) => messages.length);
  assert.equal(Math.max(...sizes), 10);
  assert.ok(new Set(sizes).size > 3);
});

function digest({ batches, tables, statistics }: Simulation): string {
  const sum = createHash('sha256').update(JSON.stringify({ tables, statistics }));
  for (const { body, ...rest } of batches.flatMap(({ messages }) => messages)) {
    sum.update(JSON.stringify(rest)).update(body);
  }
  return sum.digest('hex');
}

function placeOf({ logicalId, index }: { readonly logicalId: string; readonly index: number }): string {
  return `${logicalId} ${index}`;
}

function position({ partitionId, sequenceNumber }: HubMessage): string {
  return `${partitionId}/${sequenceNumber}`;
}
