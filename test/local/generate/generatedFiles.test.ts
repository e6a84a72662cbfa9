import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generatedFiles } from '../../../local/generate/generatedFiles.ts';

const root = join(import.meta.dirname, '../../..');

for (const [path, text] of Object.entries(generatedFiles())) {
  test(`${path} is what npm run generate writes`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text);
  });
}
