import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LSN_BACK_MINUTES, OUT_OF_ORDER_WINDOW, WARNING_QUIET_MINUTES } from '../../src/limits.ts';
import { replicate } from '../../src/pipeline.ts';
import type { Services } from '../../src/services.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import { warnings as catalogue } from '../../src/warnings/warnings.ts';
import { Watch } from '../../src/warnings/watch.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { MemoryProgress } from '../support/memoryProgress.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { anotherInstance, type TestServices, testServices } from '../support/testServices.ts';

const MARKER = 'M4RK3R';
const MIB = 1024 * 1024;
const update = (id: number, position: number, overrides: Partial<TestEvent> = {}): TestEvent =>
  insertEvent(id, position, { operation: 'UPD', old: `{"Id":"${id}"}`, ...overrides });
const minutes = (count: number): string => new Date(Date.UTC(2026, 7, 7) + count * 60_000).toISOString();

async function warningsOf(
  services: TestServices,
  ...events: readonly TestEvent[]
): Promise<readonly string[]> {
  const { warnings } = await replicate(hubMessages(events.map((event) => jsonMessage(event))), services);
  for (const { detail } of warnings) assert.ok(!detail.includes(MARKER));
  return warnings.map(({ code, subject }) => `${code} ${subject}`);
}

test('ordinary changes warn of nothing', async () => {
  const services = testServices();
  assert.deepEqual(await warningsOf(services, insertEvent(1, 1), update(1, 2), insertEvent(2, 3)), []);
  const removed = insertEvent(1, 4, { operation: 'DEL', old: '{"Id":"1"}', current: '{}' });
  assert.deepEqual(await warningsOf(services, removed, insertEvent(1, 5)), []);
});

test('every warning says what it means and what to do', () => {
  for (const { meaning, action } of Object.values(catalogue)) {
    assert.match(meaning, /^[A-Z].{20,}\.$/);
    assert.match(action, /^[A-Z].{20,}\.$/);
  }
});

test('a warning is not repeated before its time, and other subjects do not wait for it', async () => {
  let now = 0;
  const services = testServices({ watch: new Watch(() => now) });
  const keyless = (id: number, tbl: string): TestEvent => insertEvent(id, id, { pkkey: [], tbl });
  assert.deepEqual(await warningsOf(services, keyless(1, 'A'), keyless(2, 'A')), ['no-key shop.dbo.A']);
  assert.deepEqual(await warningsOf(services, keyless(3, 'A'), keyless(4, 'B')), ['no-key shop.dbo.B']);
  now = WARNING_QUIET_MINUTES * 60_000;
  assert.deepEqual(await warningsOf(services, keyless(5, 'A')), ['no-key shop.dbo.A']);
});

describe('out-of-order', () => {
  /** Batches of changes of a few rows; every `late`th change comes after a newer one of its row. */
  async function run(services: TestServices, late: number, repeat = 1): Promise<readonly string[]> {
    const found: string[] = [];
    for (let first = 1; first <= OUT_OF_ORDER_WINDOW; first += 100) {
      const events = Array.from({ length: 100 }, (_, index) => {
        const n = first + index;
        return insertEvent(n % late === 0 ? n - 1 : n, n % late === 0 ? n - 1 : n + 1, {
          logicalid: `1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0:${(n % late === 0 ? n - 1 : n + 1).toString(16).toUpperCase().padStart(20, '0')}:${String((n % 2) + 1).padStart(20, '0')}`,
          sequencenumber: (n % 2) + 1,
        });
      });
      for (let time = 0; time < repeat; time += 1) found.push(...(await warningsOf(services, ...events)));
    }
    return found;
  }

  test('one in ten is worth a warning', async () => {
    assert.deepEqual(await run(testServices(), 10), ['out-of-order shop.dbo.Items']);
  });

  test('one in fifty is not', async () => {
    assert.deepEqual(await run(testServices(), 50), []);
  });

  test('copies do not count, however often they come', async () => {
    assert.deepEqual(await run(testServices(), 50, 5), []);
    assert.deepEqual(await run(testServices(), 10, 3), ['out-of-order shop.dbo.Items']);
  });

  test('changes that another instance was quicker with count', async () => {
    const first = testServices();
    const second = anotherInstance(first);
    const found: string[] = [];
    for (let n = 1; n <= OUT_OF_ORDER_WINDOW; n += 100) {
      const ids = Array.from({ length: 100 }, (_, index) => n + index);
      await warningsOf(first, ...ids.map((id) => insertEvent(id, 10_000 + id)));
      found.push(...(await warningsOf(second, ...ids.map((id) => insertEvent(id, id)))));
    }
    assert.deepEqual(found, ['out-of-order shop.dbo.Items']);
  });
});

describe('stream groups and LSNs', () => {
  const anew = (id: number, position: number, overrides: Partial<TestEvent> = {}): TestEvent => {
    const event = insertEvent(id, position, overrides);
    return { ...event, logicalid: event.logicalid.replace('1bf2756a', '2bf2756a') };
  };

  test('a second stream group of a database is new once; the first one never', async () => {
    const services = testServices();
    assert.deepEqual(await warningsOf(services, insertEvent(1, 1), insertEvent(1, 1, { db: 'other' })), []);
    assert.deepEqual(await warningsOf(services, anew(2, 2), anew(3, 3)), ['new-stream-group shop']);
    assert.deepEqual(await warningsOf(services, anew(4, 4), insertEvent(5, 5)), []);
  });

  test('a lower LSN with a later time is a restored database', async () => {
    const services = testServices();
    await warningsOf(services, insertEvent(1, 100, { time: minutes(0) }));
    const after = insertEvent(2, 50, { time: minutes(LSN_BACK_MINUTES + 1) });
    assert.deepEqual(await warningsOf(services, after), ['lsn-went-back shop']);
  });

  test('a process that has just started tells by what is stored', async () => {
    const services = testServices();
    await warningsOf(services, insertEvent(1, 100, { time: minutes(0) }));
    const after = update(1, 50, { time: minutes(LSN_BACK_MINUTES + 1) });
    assert.deepEqual(await warningsOf(anotherInstance(services), after), ['lsn-went-back shop']);
  });

  test('messages that come late, clocks that are set back, and a raised epoch say nothing', async () => {
    const services = testServices();
    await warningsOf(services, insertEvent(1, 100, { time: minutes(600) }));
    // A day late.
    assert.deepEqual(await warningsOf(services, update(1, 50, { time: minutes(0) })), []);
    // The end of summer time, on a server that sends local time.
    assert.deepEqual(await warningsOf(services, update(1, 60, { time: minutes(660) })), []);
    const raised = {
      ...anotherInstance(services),
      settings: { ...services.settings, rules: new RuleBook({}, 1) },
    };
    assert.deepEqual(await warningsOf(raised, update(1, 70, { time: minutes(9_000) })), []);
  });

  test('times that cannot be read say nothing', async () => {
    const services = testServices();
    await warningsOf(services, insertEvent(1, 100, { time: 'yesterday' }));
    assert.deepEqual(await warningsOf(services, update(1, 50, { time: minutes(9_000) })), []);
  });
});

describe('value-at-cut', () => {
  const holding = (value: string): TestEvent =>
    insertEvent(1, 1, { current: JSON.stringify({ Id: '1', Name: value }) });
  const cut = ['value-at-cut shop.dbo.Items.Name'];
  const cases: readonly (readonly [what: string, value: string, expected: readonly string[]])[] = [
    ['1 MB of nvarchar', 'x'.repeat(MIB / 2), cut],
    ['1 MB of varchar', 'x'.repeat(MIB), cut],
    ['1 MB of UTF-8', 'é'.repeat(MIB / 2 - 1).concat('xx'), cut],
    ['1 MB of UTF-8 without the character that did not fit', '€'.repeat((MIB - 1) / 3), cut],
    ['one character less', 'x'.repeat(MIB / 2 - 1), []],
    ['one character more', 'x'.repeat(MIB / 2 + 1), []],
    ['more of UTF-8', '€'.repeat((MIB - 1) / 3 + 1), []],
    ['a small value', MARKER, []],
  ];
  for (const [what, value, expected] of cases) {
    test(what, async () => {
      assert.deepEqual(await warningsOf(testServices(), holding(value)), expected);
    });
  }

  test('1 MB of varbinary in hexadecimal digits, although no item can hold it', async () => {
    assert.deepEqual(await warningsOf(testServices(), holding(`0x${'0'.repeat(MIB * 2)}`)), cut);
  });
});

test('what the batch counts is warned of by table', async () => {
  const services = testServices();
  const odd = insertEvent(1, 1, { current: `{"Id":"${MARKER}","Name":null}` });
  const moved = insertEvent(4, 2, { operation: 'UPD', old: '{"Id":"3"}', current: '{"Id":"4"}' });
  const found = await warningsOf(services, odd, moved);
  assert.deepEqual(found, ['unparsed-values shop.dbo.Items', 'unknown-columns shop.dbo.Items']);
});

describe('more-partitions', () => {
  const tracked = (told: number) => {
    const options = { partitions: told, idleMs: 1000, withOrder: false, ttlSeconds: 60 };
    return { ...testServices(), tracking: new Tracking(new MemoryProgress(), options) };
  };
  const from = async (services: Services, partition: string, replayed = false) => {
    const messages = hubMessages([jsonMessage(insertEvent(1, 1))], 0, partition);
    const { warnings } = await replicate(messages, services, { createMissing: true, replayed });
    return warnings.map(({ code, subject, detail }) => `${code} ${subject}: ${detail}`);
  };

  test('a message from a partition above HUB_PARTITIONS, which starts at 0', async () => {
    const services = tracked(4);
    assert.deepEqual(await from(services, '3'), []);
    assert.deepEqual(await from(services, '4'), [
      'more-partitions HUB_PARTITIONS: a message came from partition 4, and the first is 0; HUB_PARTITIONS is 4',
    ]);
    assert.deepEqual(await from(services, '5'), []);
  });

  test('nothing where transactions are not tracked, or the message comes from elsewhere', async () => {
    assert.deepEqual(await from(testServices(), '9'), []);
    assert.deepEqual(await from(tracked(4), '9', true), []);
  });
});
