import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type LocalServers, startLocalServers } from '../local/run/localServers.ts';
import { readReplica } from '../local/run/readReplica.ts';
import { createServices } from '../src/createServices.ts';
import { replicate } from '../src/pipeline.ts';
import { readSettings } from '../src/settings/readSettings.ts';
import { avroData, avroMessage } from './support/avroMessage.ts';
import { emptyReplica } from './support/emptyReplica.ts';
import { hubMessages } from './support/hubMessages.ts';
import { jsonMessage } from './support/jsonMessage.ts';
import { splitMessages } from './support/splitMessages.ts';
import { insertEvent, type TestEvent } from './support/testEvent.ts';
import { typeLimits } from './support/typeLimits.ts';

let servers: LocalServers;
before(async () => {
  servers = await startLocalServers(false);
});
after(() => servers.close());

const types = Object.entries(typeLimits);
const ROWS = Math.max(...types.map(([, cases]) => cases.length));
const cols = ['Id', ...types.map(([type]) => type)].map((name, index) => ({
  name,
  type: index === 0 ? 'int' : name,
  index,
}));

/** The row `id` as texts, and what it must be in the replica; every column NULL in the row 0. */
function rowOf(id: number): { readonly texts: object; readonly values: object } {
  const cells = types.map(([type, cases]) => {
    const [text, value] = (id === 0 ? undefined : cases[(id - 1) % cases.length]) ?? [null, null];
    return { type, text, value };
  });
  return {
    texts: { Id: String(id), ...Object.fromEntries(cells.map(({ type, text }) => [type, text])) },
    values: { Id: id, ...Object.fromEntries(cells.map(({ type, value }) => [type, value])) },
  };
}

function eventOf(id: number, position: number, texts: object, change: Partial<TestEvent> = {}): TestEvent {
  return insertEvent(id, position, { tbl: 'Every Type', cols, current: JSON.stringify(texts), ...change });
}

/** Each row is written as NULLs, then as the values of another row, then as its own. */
function eventsOf(id: number): TestEvent[] {
  const { texts } = rowOf(id);
  const nulls = { ...rowOf(0).texts, Id: String(id) };
  const others = { ...rowOf(((id + 1) % ROWS) + 1).texts, Id: String(id) };
  return [
    eventOf(id, 3 * id + 1, nulls),
    eventOf(id, 3 * id + 2, others, { operation: 'UPD', old: JSON.stringify(nulls) }),
    eventOf(id, 3 * id + 3, texts, { operation: 'UPD', old: JSON.stringify(others) }),
  ];
}

const encodings: Readonly<Record<string, (event: TestEvent) => readonly Buffer[]>> = {
  JSON: (event) => [jsonMessage(event)],
  Avro: (event) => [avroMessage(event)],
  'Avro with finalevent': (event) => [avroMessage(event, avroData(event, { finalevent: false }))],
  'JSON in segments': (event) => splitMessages(event, { form: 'latin1', base: 1, cuts: [500, 1_501] }),
  'Avro in segments': (event) => splitMessages(event, { form: 'avro', base: 0, cuts: [501, 1_500] }),
};

for (const [name, messagesOf] of Object.entries(encodings)) {
  test(`a table with a column of every type reads back equal: ${name}`, async () => {
    await emptyReplica(servers);
    const ids = Array.from({ length: ROWS + 1 }, (_, id) => id);
    const services = createServices(readSettings(servers.environment));
    await services.ready();
    // The newest first, and in batches that bring each row three times.
    const messages = ids.flatMap(eventsOf).toReversed().flatMap(messagesOf);
    const half = Math.ceil(messages.length / 2);
    for (const batch of [messages.slice(0, half), messages.slice(half)]) {
      const { report } = await replicate(hubMessages(batch), services);
      assert.deepEqual([report.deadLettered, report.unparsedValues], [0, 0]);
    }
    const items = await readReplica(servers);
    assert.equal(items.length, ids.length);
    for (const id of ids) {
      const item = items.find((one) => one.id === `shop.dbo.Every~20Type:${id}`);
      assert.deepEqual(item?.row, rowOf(id).values, `row ${id}`);
    }
  });
}
