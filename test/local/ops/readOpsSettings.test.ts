import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readOpsSettings } from '../../../local/ops/readOpsSettings.ts';
import { UserError } from '../../../local/run/userError.ts';
import { temporaryFolder } from '../input/temporaryFolder.ts';

const example = await readFile(new URL('../../../local.settings.json.example', import.meta.url), 'utf8');

test('settings come from the file, and environment variables go before it', async (t) => {
  const folder = await temporaryFolder(t, { 'a.json': `\uFEFF${example}` });
  const settings = await readOpsSettings(`${folder}/a.json`, { COSMOS_DATABASE: 'other' });
  assert.equal(settings.cosmos.endpoint, 'http://127.0.0.1:8081');
  assert.equal(settings.cosmos.database, 'other');
});

test('environment variables are enough', async () => {
  const settings = await readOpsSettings(undefined, JSON.parse(example).Values);
  assert.equal(settings.cosmos.container, 'rows');
});

test('a file that cannot be used is told in one line', async (t) => {
  const folder = await temporaryFolder(t, {
    'text.json': 'x',
    'list.json': '[]',
    'values.json': '{"Values":"x"}',
    'secret.json': '{"IsEncrypted":true,"Values":{}}',
  });
  for (const [name, message] of [
    ['none.json', /none\.json cannot be read \(ENOENT\); give a file/],
    ['text.json', /text\.json is not JSON; see local\.settings\.json\.example/],
    ['list.json', /list\.json has no object "Values"/],
    ['values.json', /values\.json has no object "Values"/],
    ['secret.json', /secret\.json is encrypted; func settings decrypt/],
  ] as const) {
    await assert.rejects(readOpsSettings(`${folder}/${name}`, {}), (error) => {
      assert.ok(error instanceof UserError);
      assert.match(error.message, message);
      return true;
    });
  }
});
