import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataErrors } from '../../src/errors/dataErrors.ts';

const source = join(import.meta.dirname, '../../src');

test('every reason says what was found and what the operator can do', () => {
  for (const [code, { meaning, action }] of Object.entries(dataErrors)) {
    for (const sentence of [meaning, action]) assert.match(sentence, /^[A-Z].{15,}\.$/, code);
    assert.notEqual(meaning, action);
  }
});

// Codes stand in blob paths, metadata and logs.
test('codes are short words with hyphens', () => {
  for (const code of Object.keys(dataErrors)) assert.match(code, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
});

test('no two reasons mean the same', () => {
  const meanings = Object.values(dataErrors).map(({ meaning }) => meaning);
  assert.equal(new Set<string>(meanings).size, meanings.length);
});

test('every reason can occur', async () => {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('dataErrors.ts'),
  );
  const text = (await Promise.all(files.map((file) => readFile(join(source, file), 'utf8')))).join('\n');
  for (const code of Object.keys(dataErrors)) assert.ok(text.includes(`'${code}'`), code);
});
