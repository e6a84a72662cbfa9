import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';

const source = join(import.meta.dirname, '../../src');

test('every setting says what to put there', () => {
  for (const [name, { put }] of Object.entries(settingsCatalogue))
    assert.match(put, /^\S.{20,}[^.\s]$/, name);
});

test('a required setting has an example', () => {
  for (const [name, { required, example }] of Object.entries(settingsCatalogue)) {
    if (required) assert.notEqual(example, '', name);
  }
});

// What the catalogue lists and nothing reads would send an operator the wrong way.
test('every setting is read somewhere', async () => {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('settingsCatalogue.ts'),
  );
  const text = (await Promise.all(files.map((file) => readFile(join(source, file), 'utf8')))).join('\n');
  for (const name of Object.keys(settingsCatalogue)) assert.match(text, new RegExp(`['%]${name}['%]`), name);
});
