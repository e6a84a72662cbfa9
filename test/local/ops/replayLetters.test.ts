import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BATCH_LETTERS, FAILED_BATCHES } from '../../../local/ops/limits.ts';
import type { ReplayServices } from '../../../local/ops/replayBatch.ts';
import { type ReplayOptions, replayLetters } from '../../../local/ops/replayLetters.ts';
import { isComplete, type ReplayReport } from '../../../local/ops/replayReport.ts';
import { selectNames } from '../../../local/ops/selectNames.ts';
import { readMessage } from '../../../src/ces/readMessage.ts';
import { OutageError } from '../../../src/errors/outageError.ts';
import { replicate } from '../../../src/pipeline.ts';
import type { ReplicaConfig } from '../../../src/settings/configSchema.ts';
import { RuleBook } from '../../../src/settings/ruleBook.ts';
import { expectedItems } from '../../support/expectedItems.ts';
import { hubMessages } from '../../support/hubMessages.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { splitMessages } from '../../support/splitMessages.ts';
import { insertEvent } from '../../support/testEvent.ts';
import { NOW, OLD_TIME, putAside, replayServices } from './letters.ts';

const never = new AbortController().signal;

async function replayAll(
  services: ReplayServices,
  options: Partial<ReplayOptions> = {},
): Promise<ReplayReport> {
  const selected = await selectNames({ kind: 'filter', filter: {} }, services.archive, never);
  return replayLetters(selected, services, {
    create: false,
    stop: never,
    now: NOW,
    onProgress: () => {},
    ...options,
  });
}

/** Every letter is in exactly one place. */
function assertBalanced(report: ReplayReport): void {
  const { applied, superseded, excluded, parked, withheld, deadAgain, gone, failed, notTried, letters } =
    report;
  const failures = failed.flatMap(({ names }) => names).length;
  const sum = applied + superseded + excluded + parked + withheld.length + deadAgain.length + gone.length;
  assert.equal(sum + failures + notTried, letters);
}

const insert = insertEvent(1, 10);
const update = insertEvent(1, 11, { operation: 'UPD', old: '{"Id":"1"}' });
const removal = insertEvent(2, 12, { operation: 'DEL', old: '{"Id":"2"}', current: '{}' });

describe('letters of messages that succeed now', () => {
  it('are applied and removed, each with the source it had', async () => {
    const services = replayServices();
    for (const event of [update, insert, removal]) await putAside(services, jsonMessage(event));
    const report = await replayAll(services);
    assert.deepEqual([report.applied, report.letters, isComplete(report)], [3, 3, true]);
    assert.deepEqual(services.store.items(), expectedItems([insert, update, removal]));
    assert.deepEqual(services.archive.names(), []);
    assert.equal(services.store.writes, 2, 'the changes of a row are written together');
  });

  it('are taken as the configuration has it now, not as it was', async () => {
    const withConfig = (config: ReplicaConfig) => {
      const services = replayServices();
      return { ...services, settings: { ...services.settings, rules: new RuleBook(config) } };
    };
    const rename = withConfig({ tables: { 'shop.dbo.Items': { columns: { rename: { Name: 'Title' } } } } });
    await putAside(rename, jsonMessage(insert), { code: 'column-conflict' });
    assert.equal((await replayAll(rename)).applied, 1);
    assert.deepEqual(rename.store.items()[0]?.row, { Id: 1, Title: 'name 10' });
    assert.deepEqual(rename.archive.names(), []);

    const without = withConfig({ tables: { 'shop.*.*': { include: false } } });
    await putAside(without, jsonMessage(insert), { code: 'no-key' });
    const report = await replayAll(without);
    assertBalanced(report);
    assert.deepEqual([report.excluded, isComplete(report)], [1, true]);
    assert.deepEqual([without.store.items(), without.archive.names()], [[], []]);
  });

  it('are removed when something newer is there', async () => {
    const services = replayServices();
    await replicate(hubMessages([jsonMessage(update)]), services);
    await replicate(hubMessages([jsonMessage(insert)]), services);
    await putAside(services, jsonMessage(insert));
    const report = await replayAll(services);
    assert.deepEqual([report.superseded, isComplete(report)], [1, true]);
    assert.deepEqual(services.archive.names(), []);
  });

  it('are parked when they are a part of an event only', async () => {
    const services = replayServices();
    const [first, last] = splitMessages(insert, { form: 'text', base: 0, cuts: [50] });
    assert.ok(first && last);
    await putAside(services, last);
    const report = await replayAll(services);
    assert.deepEqual([report.parked, isComplete(report)], [1, true]);
    assert.deepEqual(services.archive.names(), []);
    await replicate(hubMessages([first]), services);
    assert.deepEqual(services.store.items(), expectedItems([insert]));
  });

  it('are replayed together with the other segments of their event, however many lie in between', async () => {
    for (const time of [OLD_TIME, undefined]) {
      const services = replayServices();
      await replicate(hubMessages([jsonMessage(insert)]), services);
      const [first, middle, last] = splitMessages(update, { form: 'avro', base: 1, cuts: [50, 90] });
      assert.ok(first && middle && last);
      const age = time === undefined ? {} : { time };
      await putAside(services, last, age);
      const others = Array.from({ length: BATCH_LETTERS + 5 }, (_, index) =>
        insertEvent(1, 12 + index, { operation: 'UPD' }),
      );
      await putAside(services, middle, age);
      for (const other of others) await putAside(services, jsonMessage(other), age);
      await putAside(services, first, age);
      const report = await replayAll(services);
      assertBalanced(report);
      assert.deepEqual([report.withheld, report.parked, isComplete(report)], [[], 0, true]);
      assert.deepEqual(services.store.items(), expectedItems([insert, update, ...others]));
      assert.deepEqual(services.parking.parked(), []);
    }
  });
});

describe('letters that fail again', () => {
  it('stay as they are when the reason is the same', async () => {
    const services = replayServices();
    await putAside(services, Buffer.from('{'));
    const before = [...services.archive.blobs];
    const report = await replayAll(services);
    assert.deepEqual(report.deadAgain, [{ name: before[0]?.[0], reason: 'invalid-json' }]);
    assert.equal(isComplete(report), false);
    assert.deepEqual([...services.archive.blobs], before);
  });

  it('stay one also when nobody told when they were enqueued', async () => {
    const services = replayServices();
    const name = await putAside(services, Buffer.from('{'), {
      source: { enqueuedTime: undefined } as object,
    });
    assert.ok(name.startsWith('1970-01-01/'));
    services.archive.before = async (call) => assert.notEqual(call, 'put');
    await replayAll(services);
    assert.deepEqual(services.archive.names(), [name]);
  });

  it('are kept anew when the reason is another, before the old one goes', async () => {
    const services = replayServices();
    const name = await putAside(services, jsonMessage(insertEvent(1, 1, { pkkey: [] })));
    const calls: string[] = [];
    services.archive.before = async (call) => {
      calls.push(call);
    };
    const report = await replayAll(services);
    assert.deepEqual(report.deadAgain, [{ name, reason: 'no-key' }]);
    assert.deepEqual(services.archive.names(), [name.replace('/invalid-json/', '/no-key/')]);
    assert.ok(calls.indexOf('put') < calls.indexOf('remove'));
  });
});

describe('a message older than tombstones', () => {
  it('creates nothing: it is withheld, or applied to what is there', async () => {
    const services = replayServices();
    await replicate(hubMessages([jsonMessage(insert)]), services);
    const names = [];
    for (const event of [insertEvent(2, 12), insertEvent(3, 13, { operation: 'UPD' }), removal]) {
      names.push(await putAside(services, jsonMessage(event), { time: OLD_TIME }));
    }
    await putAside(services, jsonMessage(update), { time: OLD_TIME });
    const report = await replayAll(services);
    assertBalanced(report);
    assert.deepEqual([report.applied, report.withheld], [1, names]);
    assert.deepEqual(services.store.items(), expectedItems([insert, update]));
    assert.deepEqual(services.archive.names(), names);
  });

  it('creates what it says when that is asked for', async () => {
    const services = replayServices();
    await putAside(services, jsonMessage(insert), { time: OLD_TIME });
    await putAside(services, jsonMessage(removal), { time: OLD_TIME });
    const report = await replayAll(services, { create: true });
    assert.deepEqual([report.applied, isComplete(report)], [2, true]);
    assert.deepEqual(services.store.items(), expectedItems([insert, removal]));
  });

  it('is not parked when it is a part of an event only', async () => {
    const services = replayServices();
    const [, last] = splitMessages(insert, { form: 'text', base: 0, cuts: [50] });
    assert.ok(last);
    const name = await putAside(services, last, { time: OLD_TIME });
    const report = await replayAll(services);
    assert.deepEqual([report.withheld, services.parking.calls], [[name], []]);
    assert.deepEqual(services.archive.names(), [name]);
  });

  it('makes its whole event old', async () => {
    const services = replayServices();
    const [first, last] = splitMessages(insert, { form: 'text', base: 0, cuts: [50] });
    assert.ok(first && last);
    await putAside(services, first);
    await putAside(services, last, { time: OLD_TIME });
    const report = await replayAll(services);
    assert.equal(report.withheld.length, 2);
    assert.deepEqual(services.store.items(), []);
  });
});

describe('when something goes wrong', () => {
  it('a batch that fails leaves its letters, and the others go on', async () => {
    const services = replayServices();
    const events = Array.from({ length: 2 * BATCH_LETTERS }, (_, index) => insertEvent(index, index + 1));
    for (const event of events) await putAside(services, jsonMessage(event));
    let calls = 0;
    services.store.gate = async () => {
      calls += 1;
      if (calls === 1) throw new OutageError('Cosmos DB is away; the batch comes again');
    };
    const report = await replayAll(services);
    assertBalanced(report);
    assert.deepEqual([report.applied, isComplete(report)], [BATCH_LETTERS, false]);
    assert.deepEqual(
      report.failed.map(({ names, error }) => [names.length, error]),
      [[BATCH_LETTERS, 'Cosmos DB is away']],
    );
    assert.equal(services.archive.names().length, BATCH_LETTERS);
    assert.ok(isComplete(await replayAll(services)));
    assert.deepEqual(services.store.items(), expectedItems(events));
  });

  it('a replay gives up when nothing works', async () => {
    const services = replayServices();
    const count = (FAILED_BATCHES + 2) * BATCH_LETTERS;
    for (let id = 0; id < count; id += 1) await putAside(services, jsonMessage(insertEvent(id, id + 1)));
    services.store.gate = async () => {
      throw new OutageError('away');
    };
    const report = await replayAll(services);
    assertBalanced(report);
    assert.deepEqual([report.failed.length, report.notTried], [FAILED_BATCHES, 2 * BATCH_LETTERS]);
    assert.equal(services.archive.names().length, count);
  });

  it('a replay that is stopped leaves what it has not tried', async () => {
    const services = replayServices();
    const events = Array.from({ length: 3 * BATCH_LETTERS }, (_, index) => insertEvent(index, index + 1));
    for (const event of events) await putAside(services, jsonMessage(event));
    const stop = new AbortController();
    const report = await replayAll(services, { stop: stop.signal, onProgress: () => stop.abort() });
    assertBalanced(report);
    assert.equal(report.applied, BATCH_LETTERS);
    assert.ok(isComplete(await replayAll(services)));
    assert.deepEqual(services.store.items(), expectedItems(events));
  });

  it('letters that go away meanwhile are no trouble, unless they were asked for by name', async () => {
    const services = replayServices();
    await putAside(services, jsonMessage(insert));
    const options = { create: false, stop: never, now: NOW, onProgress: () => {} };
    const selected = { names: [...services.archive.names(), 'a/b/c'], named: false, more: false };
    const report = await replayLetters(selected, services, options);
    assertBalanced(report);
    assert.deepEqual([report.gone, isComplete(report)], [['a/b/c'], true]);
    const named = await replayLetters({ ...selected, named: true }, services, options);
    assert.equal(isComplete(named), false);
  });

  it('wherever replays are cut off and however many run at once, nothing is lost', async () => {
    const cut = { form: 'text', base: 0, cuts: [40, 80] } as const;
    const events = [insert, update, removal, ...[20, 21, 22].map((id) => insertEvent(id, id))];
    const split = insertEvent(30, 30);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(60), { maxLength: 4 }),
        fc.scheduler(),
        async (failures, scheduler) => {
          const services = replayServices();
          for (const event of events) await putAside(services, jsonMessage(event));
          for (const body of splitMessages(split, cut)) await putAside(services, body);
          const broken = await putAside(services, Buffer.from('{'));
          let calls = 0;
          const step = async (): Promise<void> => {
            await scheduler.schedule(Promise.resolve());
            calls += 1;
            if (failures.includes(calls)) throw new OutageError('cut off');
          };
          services.archive.before = step;
          services.parking.before = step;
          services.store.gate = step;
          const instances = [services, { ...services, recentEvents: replayServices().recentEvents }];
          const runs = instances.map((instance) => replayAll(instance).catch((error) => error));
          await scheduler.waitFor(Promise.all(runs));
          services.archive.before = async () => {};
          services.parking.before = async () => {};
          services.store.gate = async () => {};
          await replayAll(services);
          assert.deepEqual(services.store.items(), expectedItems([...events, split]));
          assert.deepEqual(services.archive.names(), [broken]);
          // Cut off between parking and looking, a replay leaves segments of an event that another one has applied;
          // the note of that tells whoever sweeps that they are not missed.
          const { logicalId } = readMessage(splitMessages(split, cut)[0] ?? Buffer.alloc(0));
          const { released } = await services.parking.list(logicalId);
          assert.ok(services.parking.parked().length === 0 || (released && failures.length > 0));
        },
      ),
      { numRuns: 60 },
    );
  });
});
