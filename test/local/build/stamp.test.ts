import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isCurrent, stampOf } from '../../../local/build/stamp.ts';

const OUTPUTS = ['index.cjs', 'telemetry.cjs', 'reader/reader.js', 'reader/reader.d.ts', '.stamp'];

test('a build is taken up again only where nothing has changed and everything is there', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'stamp-'));
  context.after(() => rmSync(root, { recursive: true }));
  const dist = join(root, 'dist');
  mkdirSync(join(root, 'src/steps'), { recursive: true });
  mkdirSync(join(dist, 'reader'), { recursive: true });
  writeFileSync(join(root, 'src/steps/a.ts'), 'a');
  const stamp = stampOf(root);
  const build = () => {
    for (const name of OUTPUTS) writeFileSync(join(dist, name), stamp);
  };
  assert.equal(isCurrent(dist, stamp), false);
  build();
  assert.equal(isCurrent(dist, stampOf(root)), true);
  for (const name of OUTPUTS) {
    rmSync(join(dist, name));
    assert.equal(isCurrent(dist, stamp), false, name);
    build();
  }
  writeFileSync(join(root, 'src/steps/a.ts'), 'b');
  assert.equal(isCurrent(dist, stampOf(root)), false);
  writeFileSync(join(root, 'src/steps/a.ts'), 'a');
  assert.equal(stampOf(root), stamp);
  writeFileSync(join(root, 'package-lock.json'), '{}');
  assert.notEqual(stampOf(root), stamp);
});
