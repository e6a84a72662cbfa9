import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BlobServiceClient } from '@azure/storage-blob';
import { type BlobServer, startBlobServer } from '../../local/servers/blobServer.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import type { Message } from '../../src/model/message.ts';
import type { Segment } from '../../src/model/segment.ts';
import { BlobParking } from '../../src/parking/blobParking.ts';
import type { FoundGroup, Parking } from '../../src/parking/parking.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { MemoryParking } from '../support/memoryParking.ts';
import { splitMessages } from '../support/splitMessages.ts';
import { insertEvent } from '../support/testEvent.ts';

const { signal } = new AbortController();
let server: BlobServer;

before(async () => {
  server = await startBlobServer();
});
after(() => server.close());

async function blobParking(name: string, replica = 'replica-0'): Promise<Parking> {
  const container = BlobServiceClient.fromConnectionString(server.connectionString).getContainerClient(name);
  await container.createIfNotExists();
  return new BlobParking(container, async () => replica, PAGE_BLOBS);
}

/** So few that groups lie across pages. */
const PAGE_BLOBS = 2;

async function all(parking: Parking): Promise<FoundGroup[]> {
  const groups: FoundGroup[] = [];
  for await (const group of parking.groups(signal)) groups.push(group);
  return groups;
}

/** Segments of a new event, with bytes that are no text. */
function segmentsOf(position: number): { segment: Segment; message: Message }[] {
  const bodies = splitMessages(insertEvent(1, position), { form: 'avro', base: 0, cuts: [50, 100] });
  return hubMessages(bodies, position * 10).map((message) => ({
    segment: readMessage(message.body),
    message,
  }));
}

// What the tests of the steps rely on holds for the real adapter too.
for (const [name, make] of [
  ['in memory', async () => new MemoryParking()],
  ['in Blob storage', (container = 'contract') => blobParking(container)],
] satisfies [string, (container?: string) => Promise<Parking>][]) {
  describe(`parking ${name}`, () => {
    let parking: Parking;
    before(async () => {
      parking = await make();
    });

    it('gives back what was parked: body, source, index and end', async () => {
      const parts = segmentsOf(1);
      const event = parts[0]?.segment.logicalId;
      assert.ok(event !== undefined);
      for (const { segment, message } of parts)
        assert.equal(await parking.park(segment, message, signal), true);
      const { segments, released } = await parking.list(event, signal);
      assert.deepEqual(
        segments,
        parts.map(({ message }, index) => ({ index, final: index === 2, bytes: message.body.length })),
      );
      assert.equal(released, false);
      for (const { segment, message } of parts) {
        assert.deepEqual(await parking.fetch(event, segment.index, signal), message);
      }
    });

    it('keeps what came first in a place', async () => {
      const [first, second] = segmentsOf(2);
      assert.ok(first !== undefined && second !== undefined);
      const { logicalId, index } = first.segment;
      assert.equal(await parking.park(first.segment, first.message, signal), true);
      assert.equal(await parking.park(first.segment, first.message, signal), false);
      assert.equal(await parking.park(first.segment, second.message, signal), false);
      assert.deepEqual(await parking.fetch(logicalId, index, signal), first.message);
    });

    it('has one winner of many that park in one place at the same time', async () => {
      const [first] = segmentsOf(3);
      assert.ok(first !== undefined);
      const racers = Array.from({ length: 8 }, () => parking.park(first.segment, first.message, signal));
      assert.equal((await Promise.all(racers)).filter((won) => won).length, 1);
    });

    it('keeps events apart', async () => {
      const [one] = segmentsOf(4);
      const [other] = segmentsOf(5);
      assert.ok(one !== undefined && other !== undefined);
      await parking.park(one.segment, one.message, signal);
      assert.deepEqual((await parking.list(other.segment.logicalId, signal)).segments, []);
      assert.equal(await parking.fetch(other.segment.logicalId, 0, signal), undefined);
    });

    it('removes segments, also those that are gone already, and keeps the note', async () => {
      const parts = segmentsOf(6);
      const event = parts[0]?.segment.logicalId;
      assert.ok(event !== undefined);
      for (const { segment, message } of parts) await parking.park(segment, message, signal);
      await parking.markReleased(event, signal);
      await parking.markReleased(event, signal);
      await parking.remove(event, [0, 2], signal);
      assert.deepEqual(await parking.list(event, signal), {
        segments: [{ index: 1, final: false, bytes: parts[1]?.message.body.length }],
        released: true,
      });
      await parking.remove(event, [0, 1, 2], signal);
      await parking.remove(event, [], signal);
      assert.deepEqual(await parking.list(event, signal), { segments: [], released: true });
      assert.equal(await parking.fetch(event, 1, signal), undefined);
    });

    it('forgets a note, also one that is gone already', async () => {
      const event = segmentsOf(8)[0]?.segment.logicalId;
      assert.ok(event !== undefined);
      await parking.markReleased(event, signal);
      await parking.forgetReleased(event, signal);
      await parking.forgetReleased(event, signal);
      assert.deepEqual(await parking.list(event, signal), { segments: [], released: false });
    });

    it('goes through all groups, with when each segment was parked and each event applied', async () => {
      const parking = await make('all');
      assert.deepEqual(await all(parking), []);
      const events = [11, 12, 13].map(segmentsOf);
      for (const { segment, message } of events.flat()) await parking.park(segment, message, signal);
      const [first, , third] = events.map((parts) => parts[0]?.segment.logicalId);
      assert.ok(first !== undefined && third !== undefined);
      await parking.remove(first, [1], signal);
      await parking.markReleased(first, signal);
      await parking.remove(third, [0, 1, 2], signal);
      await parking.markReleased(third, signal);
      const groups = await all(parking);
      assert.deepEqual(
        groups.map(({ event }) => event),
        events.map((parts) => parts[0]?.segment.logicalId),
      );
      assert.deepEqual(
        groups.map(({ segments, releasedAt }) => [
          segments.map(({ index, final }) => [index, final]),
          releasedAt instanceof Date,
        ]),
        [
          [
            [
              [0, false],
              [2, true],
            ],
            true,
          ],
          [
            [
              [0, false],
              [1, false],
              [2, true],
            ],
            false,
          ],
          [[], true],
        ],
      );
      for (const { segments } of groups) assert.ok(segments.every(({ parkedAt }) => parkedAt.getTime() > 0));
      assert.deepEqual(
        groups[1]?.segments.map(({ bytes }) => bytes),
        events[1]?.map(({ message }) => message.body.length),
      );
    });

    it('keeps a message that came without metadata', async () => {
      const [first] = segmentsOf(7);
      assert.ok(first !== undefined);
      const bare = { body: first.message.body, source: {} };
      await parking.park(first.segment, bare, signal);
      assert.deepEqual(await parking.fetch(first.segment.logicalId, 0, signal), bare);
    });
  });
}

// A replica that was built anew would have missed every split event that the one before had applied.
describe('a note that an event was applied', () => {
  it('counts for the replica it was applied to only', async () => {
    const before = await blobParking('rebuilt', 'first-0');
    const rebuilt = await blobParking('rebuilt', 'second-0');
    const [first] = segmentsOf(1);
    assert.ok(first !== undefined);
    const event = first.segment.logicalId;
    await before.markReleased(event, signal);
    assert.equal((await before.list(event, signal)).released, true);
    assert.equal((await rebuilt.list(event, signal)).released, false);
    assert.deepEqual(await all(rebuilt), []);
    await rebuilt.markReleased(event, signal);
    assert.equal((await rebuilt.list(event, signal)).released, true);
  });
});

describe('parking in a container that does not exist', () => {
  it('is an outage that says what was being done, and has the cause', async () => {
    const service = BlobServiceClient.fromConnectionString(server.connectionString);
    const parking = new BlobParking(service.getContainerClient('absent'), async () => 'replica-0');
    const [first] = segmentsOf(1);
    assert.ok(first !== undefined);
    const { segment, message } = first;
    for (const [what, call] of [
      ['parking a segment', () => parking.park(segment, message, signal)],
      ['listing parked segments', () => parking.list(segment.logicalId, signal)],
      ['noting an applied event', () => parking.markReleased(segment.logicalId, signal)],
      ['listing the parking container', () => all(parking)],
    ] as const) {
      await assert.rejects(call(), (error) => {
        assert.ok(error instanceof OutageError && error.cause instanceof Error);
        assert.equal(
          error.message,
          `Blob storage: ${what} failed (ContainerNotFound); the batch comes again`,
        );
        return true;
      });
    }
  });

  it('is an outage when the time is over', async () => {
    const parking = await blobParking('aborted');
    const [first] = segmentsOf(1);
    assert.ok(first !== undefined);
    const aborted = AbortSignal.abort();
    await assert.rejects(parking.park(first.segment, first.message, aborted), OutageError);
    await assert.rejects(parking.list(first.segment.logicalId, aborted), OutageError);
    await assert.rejects(parking.fetch(first.segment.logicalId, 0, aborted), OutageError);
  });
});
