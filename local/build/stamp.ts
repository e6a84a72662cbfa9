import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All that `dist` is made from. */
const INPUTS = [
  'src/**/*.ts',
  'local/build.ts',
  'local/build/**/*.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.reader.json',
];

/** What a build leaves; one that lacks any was not finished, or someone has cleared it. */
const OUTPUTS = ['index.cjs', 'telemetry.cjs', 'reader/reader.js', 'reader/reader.d.ts'];

/** Tells one state of the inputs from every other. @param root folder of the project. */
export function stampOf(root: string): string {
  const hash = createHash('sha256');
  for (const name of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    const content = readFileSync(join(root, name));
    hash.update(`${name}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Whether what was built is what would be built. @param dist folder of what was built. */
export function isCurrent(dist: string, stamp: string): boolean {
  const file = join(dist, '.stamp');
  return (
    existsSync(file) &&
    readFileSync(file, 'utf8') === stamp &&
    OUTPUTS.every((name) => existsSync(join(dist, name)))
  );
}
