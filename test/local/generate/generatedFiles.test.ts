import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedFiles } from '../../../local/generate/generatedFiles.ts';

const root = join(import.meta.dirname, '../../..');

test('the generated files are current', () => {
  for (const [path, text] of Object.entries(generatedFiles()))
    assert.equal(readFileSync(join(root, path), 'utf8'), text, `${path}: run "npm run generate"`);
});

test('there is no generated file that nothing writes any more', () => {
  const files = readdirSync(join(root, 'infra/generated')).map((name) => `infra/generated/${name}`);
  const written = Object.keys(generatedFiles()).filter((path) => path.startsWith('infra/'));
  assert.deepEqual(files.sort(), written.sort());
});
