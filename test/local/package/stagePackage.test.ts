import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AppLoadError, FunctionsHost } from '../../../local/host/functionsHost.ts';
import { STAGING_FOLDER, type StagedFile, stagePackage } from '../../../local/package/stagePackage.ts';
import { type LocalServers, startLocalServers } from '../../../local/run/localServers.ts';
import { readReplica } from '../../../local/run/readReplica.ts';
import { avroMessage } from '../../support/avroMessage.ts';
import { type FakeIngestion, startFakeIngestion } from '../../support/fakeIngestion.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { insertEvent } from '../../support/testEvent.ts';
import { batchOf } from '../host/batches.ts';
import { ensureBundle } from '../run/runMain.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** What an upload may have. */
const MAX_BYTES = 10_000_000;

let folder: string;
let files: readonly StagedFile[];
let bundle: string;
let servers: LocalServers;
let ingestion: FakeIngestion;
before(async () => {
  await ensureBundle();
  folder = await mkdtemp(join(tmpdir(), 'ces-replica-package-'));
  await writeFile(join(folder, 'left from before'), '');
  files = await stagePackage(root, folder);
  bundle = join(folder, JSON.parse(await read('package.json')).main);
  [servers, ingestion] = await Promise.all([startLocalServers(false), startFakeIngestion()]);
});
after(async () => {
  await Promise.all([servers.close(), ingestion.close(), rm(folder, { recursive: true })]);
});

const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');

test('the folder has what the host reads and nothing else, below 10 MB', async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const expected = [
    '.funcignore',
    'host.json',
    'index.cjs',
    'local.settings.json',
    'package.json',
    'telemetry.cjs',
  ];
  assert.deepEqual(found.toSorted(), expected);
  assert.equal(files.length, expected.length);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  assert.ok(bytes > 1_000_000 && bytes < MAX_BYTES, `${bytes} bytes`);
});

test('there is nothing to install or build, and publishing knows the runtime', async () => {
  const { name, version, main, ...others } = JSON.parse(await read('package.json'));
  const project = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(
    { name, version, main },
    { name: project.name, version: project.version, main: project.main },
  );
  assert.deepEqual(others, { private: true });
  assert.equal(await read('host.json'), await readFile(join(root, 'host.json'), 'utf8'));
  // Without it: "Worker runtime cannot be 'None'". Tools do not upload it, and it must hold nothing else.
  assert.deepEqual(JSON.parse(await read('local.settings.json')), {
    IsEncrypted: false,
    Values: { FUNCTIONS_WORKER_RUNTIME: 'node' },
  });
});

test('loaded where there is no node_modules, it registers the two functions, and a batch goes through', async () => {
  for (let above = folder; above !== dirname(above); above = dirname(above))
    assert.ok(!existsSync(join(above, 'node_modules')), `${above} has node_modules`);
  assert.throws(() => createRequire(bundle).resolve('@azure/cosmos'), { code: 'MODULE_NOT_FOUND' });

  const environment = {
    ...servers.environment,
    ...offline,
    APPLICATIONINSIGHTS_CONNECTION_STRING: ingestion.connectionString,
  };
  const host = await FunctionsHost.load({ bundle, environment });
  const functions = host.functions.map(({ name, trigger, bindings, retry }) => ({
    name,
    trigger: Object.fromEntries(
      Object.entries(trigger).filter(([setting]) => !ofTheLibrary.includes(setting)),
    ),
    bindings: Object.keys(bindings).length,
    retries: retry?.maxRetryCount,
  }));
  assert.deepEqual(functions, [
    {
      name: 'replicate',
      trigger: {
        type: 'eventHubTrigger',
        connection: 'EventHub',
        eventHubName: '%EVENT_HUB_NAME%',
        consumerGroup: '%EVENT_HUB_CONSUMER_GROUP%',
        cardinality: 'many',
        dataType: 'binary',
      },
      bindings: 1,
      retries: -1,
    },
    {
      name: 'sweep',
      trigger: { type: 'timerTrigger', schedule: '0 */5 * * * *', runOnStartup: false, useMonitor: true },
      bindings: 1,
      retries: undefined,
    },
  ]);

  await host.invokeEventHub(
    'replicate',
    batchOf(jsonMessage(insertEvent(1, 1)), avroMessage(insertEvent(2, 2))),
  );
  await host.invokeTimer('sweep');
  await host.dispose();
  const items = await readReplica(servers);
  assert.deepEqual(items.map(({ row }) => row).toSorted(byId), [
    { Id: 1, Name: 'name 1' },
    { Id: 2, Name: 'name 2' },
  ]);
  // The library for telemetry is a file of its own, and was found.
  const metrics = ingestion.envelopes().flatMap(({ data }) => data.baseData.metrics ?? []);
  assert.ok(metrics.some(({ name, value }) => name === 'replica.applied' && value === 2));
});

test('what it throws keeps its class and says where it comes from', async () => {
  const environment = { ...servers.environment, EVENT_HUB_NAME: '' };
  await assert.rejects(FunctionsHost.load({ bundle, environment }), (error) => {
    assert.ok(error instanceof AppLoadError && error.cause instanceof Error);
    assert.equal(error.cause.name, 'ConfigurationError');
    assert.match(error.cause.constructor.name, /^_?ConfigurationError$/);
    assert.match(error.cause.stack ?? '', /at readSettings \(.*index\.cjs:\d{2,}:\d{1,4}\)/);
    return true;
  });
});

test('azd deploys this folder as it is', async () => {
  const azure = await readFile(join(root, 'azure.yaml'), 'utf8');
  assert.match(azure, new RegExp(`^ {4}dist: ${STAGING_FOLDER}$`, 'm'));
  assert.match(azure, /^ {4}remoteBuild: false$/m);
  // azd takes a folder whose ignore file names node_modules for one that is to be built in the cloud.
  assert.doesNotMatch(await read('.funcignore'), /node_modules/);
  assert.ok(!existsSync(join(root, '.funcignore')));
});

/** Settings of a trigger that nobody chose. */
const ofTheLibrary = ['name', 'direction', 'properties'];

/** The library's own usage reports go to fixed addresses, and without Azure's settings it looks for a machine there. */
const offline = {
  APPLICATION_INSIGHTS_NO_STATSBEAT: 'true',
  APPLICATIONINSIGHTS_SDKSTATS_DISABLED: 'true',
  WEBSITE_SITE_NAME: 'test',
  FUNCTIONS_EXTENSION_VERSION: '~4',
};

function byId(one: unknown, other: unknown): number {
  return JSON.stringify(one).localeCompare(JSON.stringify(other));
}
