import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonData, jsonMessage } from '../../../local/simulation/jsonMessage.ts';
import type { Lsn } from '../../../local/simulation/lsn.ts';
import { defaultSimulationOptions, type SimulationOptions } from '../../../local/simulation/options.ts';
import type { Operation } from '../../../local/simulation/rowChanges.ts';
import { simulate } from '../../../local/simulation/simulate.ts';
import type { RowImage } from '../../../local/simulation/sourceEvent.ts';
import {
  allMessages,
  caseText,
  type ReadEvent,
  type ReadMessage,
  readEvents,
  readMessage,
} from './readBack.ts';

const base: SimulationOptions = { ...defaultSimulationOptions, changes: 400, duplicates: 0, reorder: 0 };

const published = {
  'split-generation-insert.json': 'split',
  'split-generation-update.json': 'split',
  'split-generation-delete.json': 'split',
  'segment-generation-insert.json': 'segment-final',
  'segment-generation-update.json': 'segment-final',
  'segment-generation-delete.json': 'segment-final',
  'changed-columns-only-base1.json': 'segment',
} as const;

for (const [name, generation] of Object.entries(published)) {
  test(`${name} is written again byte for byte`, () => {
    const text = caseText(name).trimEnd();
    const envelope = JSON.parse(text);
    const data = JSON.parse(envelope.data);
    const { db, schema, tbl, cols, pkkey, transaction } = data.eventsource;
    const [streamGroup = '', lsn = '', sequence = ''] = envelope.logicalid.split(':');
    const [old, current] = [imageOf(data.eventrow.old), imageOf(data.eventrow.current)];
    const event = {
      streamGroup,
      commitLsn: lsnOf(lsn),
      beginLsn: lsnOf((transaction?.beginlsn ?? lsn).replaceAll(':', '')),
      sequence: Number(sequence),
      tableSequence: 0,
      operation: envelope.operation as Operation,
      time: envelope.time,
      commitTime: transaction?.committime ?? '',
      db,
      schema,
      table: tbl,
      columns: cols,
      key: pkkey,
      old,
      current,
      whole: { columns: cols, old, current },
    };
    const segment = {
      event,
      form: { encoding: 'json', generation },
      index: envelope.segmentindex ?? envelope.splitindex,
      total: 1,
      final: true,
      part: jsonData(event, generation),
      jsonData: 'text',
    } as const;
    assert.equal(jsonMessage(segment, envelope.id).toString('utf8'), text);
  });
}

test('each generation has its own segment fields, content type and transaction block', () => {
  const facts = (options: Partial<SimulationOptions>) => {
    const [event] = readEvents(simulate({ ...base, ...options }));
    const envelope = event?.segments[0]?.envelope ?? {};
    return [
      Object.keys(envelope).slice(8, 10),
      envelope['datacontenttype'],
      Object.keys(event?.payload.eventsource.transaction ?? {}),
    ];
  };
  const segmentFields = ['segmentindex', 'finalsegment'];
  const four = ['commitlsn', 'beginlsn', 'sequencenumber', 'committime'];
  const five = ['commitlsn', 'beginlsn', 'sequencenumber', 'finalevent', 'committime'];
  assert.deepEqual(facts({ generation: 'split' }), [['splitindex', 'splittotalcnt'], 'application/json', []]);
  assert.deepEqual(facts({ generation: 'segment' }), [segmentFields, 'application/avro-json', four]);
  assert.deepEqual(facts({ generation: 'segment-final' }), [segmentFields, 'application/json', five]);
  const avro = { encoding: 'avro' } as const;
  assert.deepEqual(facts({ ...avro, generation: 'segment' }), [segmentFields, 'application/avro-json', four]);
  assert.deepEqual(facts({ ...avro, generation: 'segment-final' }), [
    segmentFields,
    'application/json',
    five,
  ]);
  assert.deepEqual(facts({ ...avro, generation: 'split' }), facts({ ...avro, generation: 'segment' }));
});

test('the first index is 0 or 1, and split messages count from 0', () => {
  const segmentsOf = (options: Partial<SimulationOptions>): readonly ReadMessage[] => {
    const events = readEvents(simulate({ ...base, segmentBytes: 700, ...options }));
    return events.find(({ segments }) => segments.length === 3)?.segments ?? [];
  };
  const indexes = (options: Partial<SimulationOptions>) => segmentsOf(options).map(({ index }) => index);
  assert.deepEqual(indexes({ firstIndex: 0 }), [0, 1, 2]);
  assert.deepEqual(indexes({ firstIndex: 1 }), [1, 2, 3]);
  assert.deepEqual(indexes({ firstIndex: 1, generation: 'split' }), [0, 1, 2]);
  assert.deepEqual(
    segmentsOf({ generation: 'split' }).map(({ envelope }) => envelope['splittotalcnt']),
    [3, 3, 3],
  );
  const whole = readEvents(simulate({ ...base, generation: 'split' })).find(
    ({ segments }) => segments.length === 1,
  );
  assert.equal(whole?.segments[0]?.envelope['splittotalcnt'], 0);
});

test('mixed encodings and generations all occur', () => {
  const reads = readAll({ encoding: 'mixed', generation: 'mixed' });
  const forms = new Set(
    reads.map(
      ({ encoding, envelope }) => `${encoding} ${'splitindex' in envelope} ${envelope['datacontenttype']}`,
    ),
  );
  assert.equal(forms.size, 5);
});

test('only wide rows are cut by default, and cuts fall inside characters where bytes are sent', () => {
  const events = readEvents(simulate({ ...base, changes: 2000 }));
  const cut = events.filter(({ segments }) => segments.length > 1);
  assert.ok(cut.length > 0);
  assert.ok(cut.every(({ payload }) => payload.eventsource.tbl === 'Documents'));

  const halves = (options: Partial<SimulationOptions>) =>
    readAll({ ...options, segmentBytes: 400 }).filter(
      ({ data, final }) => !final && endsInsideCharacter(data),
    ).length;
  assert.ok(halves({ jsonData: 'latin1' }) > 0);
  assert.ok(halves({ encoding: 'avro' }) > 0);

  const text = readAll({ segmentBytes: 400 });
  assert.ok(text.every(({ data }) => String(data).isWellFormed() && !String(data).includes('\ufffd')));
  assert.ok(
    text.some(({ data, final }) => !final && /[^\\]\\$/.test(String(data))),
    'a cut inside an escape',
  );
  const bytes = text.map(({ data }) => Buffer.byteLength(data));
  assert.equal(Math.max(...bytes), 400);
});

test('latin-1 data has no character above U+00FF, real text has', () => {
  const high = (jsonData: SimulationOptions['jsonData']) =>
    readAll({ jsonData }).some(({ data }) => [...String(data)].some((character) => character > '\u00ff'));
  assert.ok(high('text'));
  assert.ok(!high('latin1'));
});

test('an update carries the columns and old values it was asked to carry', () => {
  const updates = (options: Partial<SimulationOptions>): ReadEvent[] =>
    readEvents(simulate({ ...base, ...options })).filter(({ operation }) => operation === 'UPD');
  const size = (image: string): number => Object.keys(JSON.parse(image)).length;

  for (const { payload } of updates({})) {
    assert.equal(size(payload.eventrow.old), payload.eventsource.cols.length);
    assert.equal(size(payload.eventrow.current), payload.eventsource.cols.length);
  }
  assert.ok(updates({ oldValues: false }).every(({ payload }) => payload.eventrow.old === '{}'));
  const partial = updates({ changedColumnsOnly: true });
  assert.ok(
    partial.some(
      ({ payload }) => (payload.eventsource.cols.at(-1)?.index ?? 0) >= payload.eventsource.cols.length,
    ),
  );
  for (const { payload } of partial) {
    const sent = payload.eventsource.cols.map(({ name }) => name);
    assert.deepEqual(Object.keys(JSON.parse(payload.eventrow.old)), sent);
    assert.deepEqual(Object.keys(JSON.parse(payload.eventrow.current)), sent);
    assert.ok(payload.eventsource.pkkey.every(({ columnname }) => sent.includes(columnname)));
  }
});

test('a change of a key is one update with two keys, or a delete and an insert', () => {
  const rekeyed = (options: Partial<SimulationOptions>) =>
    readEvents(simulate({ ...base, ...options })).filter(({ operation, payload }) => {
      const old = JSON.parse(payload.eventrow.old);
      return (
        operation === 'UPD' &&
        payload.eventsource.pkkey.some(({ columnname, value }) => old[columnname] !== value)
      );
    }).length;
  const { statistics } = simulate({ ...base, keyChanges: 'update' });
  assert.ok(statistics.keyChanges > 0);
  assert.equal(rekeyed({ keyChanges: 'update' }), statistics.keyChanges);
  assert.equal(rekeyed({}), 0);
});

test('deletes have their old row whatever the options', () => {
  const events = readEvents(simulate({ ...base, oldValues: false, changedColumnsOnly: true }));
  const deletes = events.filter(({ operation }) => operation === 'DEL');
  assert.ok(deletes.length > 0);
  for (const { payload } of deletes) {
    assert.equal(payload.eventrow.current, '{}');
    assert.equal(Object.keys(JSON.parse(payload.eventrow.old)).length, payload.eventsource.cols.length);
  }
});

function readAll(options: Partial<SimulationOptions>): ReadMessage[] {
  return allMessages(simulate({ ...base, ...options })).map(readMessage);
}

/** Whether the UTF-8 bytes end before their last character does. */
function endsInsideCharacter(data: string | Buffer): boolean {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  return bytes.subarray(-4).toString('utf8').endsWith('\ufffd');
}

function lsnOf(digits: string): Lsn {
  const part = (start: number, end: number): number => Number.parseInt(digits.slice(start, end), 16);
  return { file: part(0, 8), block: part(8, 16), slot: part(16, 20) };
}

function imageOf(json: string): RowImage {
  return Object.entries(JSON.parse(json) as Record<string, string>);
}
