import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { findCycle, importsOf, sourceImports } from './support/sourceImports.ts';

const imports = sourceImports();
const edges = [...imports].flatMap(([file, list]) => list.map((imported) => ({ file, imported })));

/** The folders that `src/pipeline.ts` brings together, and that must not know each other. */
const apart = [
  'src/ces/',
  'src/debezium/',
  'src/parking/',
  'src/deadletter/',
  'src/replica/',
  'src/telemetry/',
  'src/warnings/',
  'src/transactions/',
];

/** Where an SDK may be known. */
const adapters = [
  'src/cosmos/sendBulk.ts',
  'src/cosmos/queryPages.ts',
  'src/replica/cosmosStore.ts',
  'src/replica/cosmosRowFinder.ts',
  'src/replica/containerIdentity.ts',
  'src/replica/blobLargeValues.ts',
  'src/parking/blobParking.ts',
  'src/deadletter/blobDeadLetters.ts',
  'src/deadletter/blobDeadLetterArchive.ts',
  'src/createServices.ts',
  'src/transactions/cosmosProgressStore.ts',
  'src/telemetry/azureMonitor.ts',
];

/** What only they may import. */
const isSdk = (name: string): boolean =>
  name.startsWith('@azure/') || name.startsWith('@opentelemetry/') || name === 'applicationinsights';

test('imports are found in every form', () => {
  const text = `import a from './a.ts';
import type { B } from "../b.ts";
import {
  c,
  type D,
} from '@scope/package/deep';
import './e.ts';
export { f } from './f.ts';
const g = await import('./g.ts');
const text = 'not from here';`;
  assert.deepEqual(importsOf('src/x/y.ts', text), [
    'src/x/a.ts',
    'src/b.ts',
    '@scope/package',
    'src/x/e.ts',
    'src/x/f.ts',
    'src/x/g.ts',
  ]);
});

test('every import leads to a file of src, a package, or Node', () => {
  assert.ok(imports.size > 50, `${imports.size} files`);
  assert.ok(imports.get('src/pipeline.ts')?.includes('src/replica/applyRows.ts'));
  for (const { file, imported } of edges) {
    if (imported.startsWith('src/')) assert.ok(existsSync(imported), `${file} imports ${imported}`);
    else assert.doesNotMatch(imported, /^(\.|test\/|local\/|bench\/)/, `${file} imports ${imported}`);
  }
});

test('the folders of the pipeline do not know each other', () => {
  const folderOf = (file: string): string | undefined => apart.find((folder) => file.startsWith(folder));
  const wrong = edges.filter(({ file, imported }) => {
    const [from, to] = [folderOf(file), folderOf(imported)];
    return from !== undefined && to !== undefined && from !== to;
  });
  assert.deepEqual(wrong, []);
});

test('what the folders share knows none of them, nor the steps', () => {
  const shared = [
    'src/errors/',
    'src/model/',
    'src/cosmos/',
    'src/json.ts',
    'src/limits.ts',
    'src/deadline.ts',
  ];
  const flow = [
    'src/steps/',
    'src/sweep/',
    'src/watermark/',
    'src/functions/',
    'src/pipeline.ts',
    'src/services.ts',
  ];
  const above = [...apart, ...flow, 'src/createServices.ts'];
  const wrong = edges.filter(
    ({ file, imported }) =>
      (shared.some((name) => file.startsWith(name)) && above.some((name) => imported.startsWith(name))) ||
      (apart.some((name) => file.startsWith(name)) && flow.some((name) => imported.startsWith(name))),
  );
  assert.deepEqual(wrong, []);
});

test('only the adapters and the functions know an SDK', () => {
  const wrong = edges.filter(
    ({ file, imported }) => isSdk(imported) && !adapters.includes(file) && !file.startsWith('src/functions/'),
  );
  assert.deepEqual(wrong, []);
  for (const adapter of adapters) assert.ok(imports.has(adapter), `${adapter} is listed but does not exist`);
});

test('the functions know the functions library only, and nothing else does', () => {
  for (const { file, imported } of edges.filter((edge) => edge.imported.startsWith('@azure/'))) {
    assert.equal(
      imported === '@azure/functions',
      file.startsWith('src/functions/'),
      `${file} imports ${imported}`,
    );
  }
});

test('the model imports nothing but the model', () => {
  const wrong = edges.filter(
    ({ file, imported }) => file.startsWith('src/model/') && !imported.startsWith('src/model/'),
  );
  assert.deepEqual(wrong, []);
});

test('there are no import cycles', () => {
  assert.equal(findCycle(imports), undefined);
});

test('a cycle would be found', () => {
  const chain: [string, readonly string[]][] = [
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
  ];
  assert.equal(findCycle(new Map(chain)), undefined);
  assert.deepEqual(findCycle(new Map([...chain, ['d', ['b']]])), ['b', 'd', 'b']);
});
