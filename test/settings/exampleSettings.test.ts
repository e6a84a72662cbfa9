import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readSettings } from '../../src/settings/readSettings.ts';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';

/** Settings of the Functions host itself. */
const HOST_SETTINGS = { AzureWebJobsStorage: 'UseDevelopmentStorage=true', FUNCTIONS_WORKER_RUNTIME: 'node' };

async function exampleValues(): Promise<Record<string, string>> {
  const path = new URL('../../local.settings.json.example', import.meta.url);
  return JSON.parse(await readFile(path, 'utf8')).Values;
}

test('local.settings.json.example has every setting with its example, and no other', async () => {
  const examples = Object.entries(settingsCatalogue).map(([name, { example }]) => [name, example]);
  assert.deepEqual(await exampleValues(), { ...HOST_SETTINGS, ...Object.fromEntries(examples) });
});

test('the app starts with local.settings.json.example as it is', async () => {
  assert.equal(readSettings(await exampleValues()).cosmos.endpoint, 'http://127.0.0.1:8081');
});
