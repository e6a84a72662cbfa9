import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { explain } from '../../../../local/ops/explain/explain.ts';
import { MAX_EXPLAINED, SHOWN_CHARACTERS } from '../../../../local/ops/limits.ts';
import { UserError } from '../../../../local/run/userError.ts';
import { ConfigurationError } from '../../../../src/errors/configurationError.ts';
import type { Environment } from '../../../../src/settings/readSettings.ts';
import { jsonMessage } from '../../../support/jsonMessage.ts';
import { insertEvent } from '../../../support/testEvent.ts';
import { recordingLine } from '../../input/inputs.ts';
import { temporaryFolder } from '../../input/temporaryFolder.ts';
import { Listener } from '../listen.ts';

const cases = join(import.meta.dirname, '../../../cases');
const insertCase = join(cases, 'segment-generation-insert.json');

async function textOf(path: string, environment: Environment = {}, config?: string): Promise<string> {
  const listener = new Listener(120);
  await explain(
    { kind: 'explain', path, json: false, ...(config !== undefined && { config }) },
    environment,
    listener,
  );
  return listener.text;
}

async function jsonOf(path: string, environment: Environment = {}) {
  const listener = new Listener();
  await explain({ kind: 'explain', path, json: true }, environment, listener);
  return JSON.parse(listener.text);
}

test('a message, for people', async () => {
  const text = await textOf(insertCase);
  assert.match(text, /segment-generation-insert\.json: 1,128 bytes$/m);
  assert.match(text, /^ {2}Envelope +specversion 1\.0, type com\.microsoft\.SQL\.CES\.DML\.V1, /m);
  assert.match(text, /^ {2}Change +INS, committed 2026-08-07T16:25:00\.890Z$/m);
  assert.match(text, /^ {2}Segments +0 in json; the event is whole$/m);
  assert.match(text, /^ {2}Table +EmployeesDb\.dbo\.Employees: updates merge, deletes tombstone$/m);
  assert.match(text, /^ {2}Version +0000:000000B1000008A80007:00000000000000000001$/m);
  assert.match(
    text,
    /^ {2}SignupDate +datetime2\(7\) +"2026-08-07 16:25:00\.8833333" +"2026-08-07T16:25:00\.8833333" +kept$/m,
  );
  assert.match(text, /^ {4}"id": "EmployeesDb\.dbo\.Employees:8",$/m);
  assert.doesNotMatch(text, /Note:/);
});

// What is known of the table, the key and the version was shown of messages of CES only.
test('a message of Debezium, for people', async () => {
  const path = join(import.meta.dirname, '../../../debezium/cases/enriched-change.json');
  const tables = { 'TESTDB.dbo.*': { key: ['PK'] } };
  const text = await textOf(path, { REPLICA_CONFIG: JSON.stringify({ tables }) });
  assert.match(text, /^ {2}Table +testDB\.dbo\.tablea: updates merge, deletes tombstone$/m);
  assert.match(text, /^ {2}Entries +TESTDB\.dbo\.\*$/m);
  assert.match(text, /^ {2}Key +\{"pk":"2"\}$/m);
  assert.match(text, /^ {2}Version +0000:0000002500000D080025:0000002500000D080021-0000000001$/m);
  const others = { 'other.dbo.*': { key: ['pk'] } };
  const without = await textOf(path, { REPLICA_CONFIG: JSON.stringify({ tables: others }) });
  assert.match(without, /^ {2}Entries +none of the configuration is for this table$/m);
});

test('all messages of a folder, and which files are none', async () => {
  const { explanations, notes } = await jsonOf(cases);
  assert.equal(explanations.length, 7);
  for (const { outcome } of explanations) assert.equal(outcome.kind, 'written');
  assert.equal(notes.length, 3);
  for (const note of notes) assert.match(note, /\.avsc was left out: /);
});

test('all events of the recording that comes with the project', async () => {
  const { explanations } = await jsonOf(join(import.meta.dirname, '../../../../local/recording.jsonl'));
  const kinds = Map.groupBy(explanations, ({ outcome }: { outcome: { kind: string } }) => outcome.kind);
  assert.deepEqual([...kinds.keys()].sort(), ['dead-letter', 'written']);
  assert.equal(kinds.get('dead-letter')?.length, 1);
  assert.ok(
    explanations.some(({ event }: { event?: { segments: number[] } }) => (event?.segments.length ?? 0) > 2),
  );
});

// What lies in dead-letters is most often no message that npm run local would take.
test('a single file that is no message is explained as what the app would make of it', async (t) => {
  const folder = await temporaryFolder(t, { 'body.bin': 'junk\u001b[2J', empty: '' });
  const text = await textOf(join(folder, 'body.bin'));
  assert.match(text, /^ {2}Would be put aside +unknown-format$/m);
  assert.match(text, /^ {2}What to do +\S/m);
  assert.match(await textOf(join(folder, 'empty')), /empty-message/);
  await assert.rejects(textOf(join(folder, 'nowhere')), /does not exist/);
});

test('what a message holds does nothing to the terminal and does not flood it', async (t) => {
  const current = JSON.stringify({ Id: '1', 'Name\u001b[2J': `\u001b[2J${'x'.repeat(5_000)}` });
  const body = jsonMessage(insertEvent(1, 1, { tbl: 'Items\u001b[2J', current }));
  const folder = await temporaryFolder(t, { 'message.json': body });
  const path = join(folder, 'message.json');
  const text = await textOf(path);
  assert.ok(!text.includes('\u001b'));
  assert.ok(text.length < 5_000);
  assert.match(text, /… \(5,004 characters\)/);
  assert.ok(
    (await jsonOf(path)).explanations[0].outcome.items[0].row['Name\u001b[2J'].length > SHOWN_CHARACTERS,
  );
});

test('of very many messages the first are explained, and that is said', async (t) => {
  const lines = Array.from({ length: MAX_EXPLAINED + 1 }, (_, number) =>
    recordingLine({
      sequenceNumber: number,
      bodyText: jsonMessage(insertEvent(1, number + 1)).toString('utf8'),
    }),
  );
  const folder = await temporaryFolder(t, { 'many.jsonl': lines.join('\n') });
  const { explanations, notes } = await jsonOf(join(folder, 'many.jsonl'));
  assert.equal(explanations.length, MAX_EXPLAINED);
  assert.match(notes[0], /only the first 1000 messages/);
});

describe('the configuration', () => {
  const masking = JSON.stringify({
    tables: { '*.*.Employees': { columns: { mask: { LastName: 'hash' } } } },
  });

  test('is that of --config, else of the setting, with the salt of the setting', async (t) => {
    const folder = await temporaryFolder(t, { 'config.json': masking });
    const environment = { REPLICA_CONFIG: masking, MASK_SALT: 'sixteen characters' };
    const text = await textOf(insertCase, environment);
    assert.match(text, /^ {2}LastName .* kept, masked$/m);
    assert.doesNotMatch(text, /Note:/);
    const plain = { ...environment, REPLICA_CONFIG: '{}' };
    assert.equal(await textOf(insertCase, plain, join(folder, 'config.json')), text);
    assert.doesNotMatch(await textOf(insertCase, plain), /masked/);
  });

  test('needs no salt, but it is said that there is none', async () => {
    const text = await textOf(insertCase, { REPLICA_CONFIG: masking });
    assert.match(text, /^Note: MASK_SALT is not set: hashed values are made with a placeholder$/m);
  });

  test('has to be right', async (t) => {
    const folder = await temporaryFolder(t, { 'config.json': '{"tabels":{}}' });
    const path = join(folder, 'config.json');
    await assert.rejects(textOf(insertCase, {}, path), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, /^--config .*did you mean "tables"\?$/);
      return true;
    });
    await assert.rejects(textOf(insertCase, { REPLICA_CONFIG: '[' }), ConfigurationError);
  });

  test('and nothing else is needed of the settings, nor read', async () => {
    const environment = { REPLICA_EPOCH: '3', COSMOS_ENDPOINT: 'not a URL', TOMBSTONE_DAYS: '9' };
    assert.match(await textOf(insertCase, environment), /^ {2}Version +0003:/m);
  });
});
