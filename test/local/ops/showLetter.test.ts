import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showLetter } from '../../../local/ops/showLetter.ts';
import { UserError } from '../../../local/run/userError.ts';
import { dataErrors } from '../../../src/errors/dataErrors.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { insertEvent } from '../../support/testEvent.ts';
import { putAside, replayServices, YOUNG_TIME } from './letters.ts';
import { Listener } from './listen.ts';

const event = insertEvent(1, 7, { current: '{"Id":"1","Name":"Anna Doe"}' });

async function shown(
  body: Buffer,
  form: { readonly json?: true; readonly body?: true } = {},
): Promise<Buffer> {
  const services = replayServices();
  const name = await putAside(services, body);
  const output = new Listener();
  await showLetter({ kind: 'show', name, json: false, body: false, ...form }, services.archive, output);
  return output.bytes;
}

test('a letter is shown with what its reason means, what to do, and its envelope', async () => {
  const text = (await shown(jsonMessage(event))).toString('utf8');
  for (const expected of [
    'invalid-json',
    'what an older version found',
    dataErrors['invalid-json'].meaning,
    dataErrors['invalid-json'].action,
    YOUNG_TIME,
    event.logicalid,
  ]) {
    assert.ok(text.includes(expected), `${expected} is missing in\n${text}`);
  }
  assert.ok(!text.includes('Anna'));
});

test('as JSON it says the same', async () => {
  const shownJson = JSON.parse((await shown(jsonMessage(event), { json: true })).toString('utf8'));
  assert.equal(shownJson.reason, 'invalid-json');
  assert.equal(shownJson.source.enqueuedTime, YOUNG_TIME);
  assert.equal(shownJson.action, dataErrors['invalid-json'].action);
  assert.equal(shownJson.envelope.logicalid, event.logicalid);
  assert.ok(!('body' in shownJson) && !('data' in shownJson.envelope));
});

test('the bytes come as they were received', async () => {
  const body = Buffer.from([0, 255, 0x0a, 0xc3]);
  assert.deepEqual(await shown(body, { body: true }), body);
});

test('a letter that is not there is told', async () => {
  const { archive } = replayServices();
  const request = { kind: 'show', name: 'a/b/c', json: false, body: false } as const;
  await assert.rejects(showLetter(request, archive, new Listener()), UserError);
});

test('a blob of another origin is shown as far as it goes', async () => {
  const { archive } = replayServices();
  archive.blobs.set('stray', { body: Buffer.from('x'), metadata: {} });
  const output = new Listener();
  await showLetter({ kind: 'show', name: 'stray', json: false, body: false }, archive, output);
  assert.match(output.text, /^Name +stray\n/);
});
