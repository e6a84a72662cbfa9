import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import { readInput } from '../../../local/input/readInput.ts';
import { FunctionLog } from '../../../local/run/functionLog.ts';
import { type LocalServers, startLocalServers } from '../../../local/run/localServers.ts';
import { playMessages } from '../../../local/run/playMessages.ts';
import { readReplica } from '../../../local/run/readReplica.ts';
import { createDeadLetterArchive, createServices } from '../../../src/createServices.ts';
import { DataError } from '../../../src/errors/dataError.ts';
import { replicate } from '../../../src/pipeline.ts';
import type { Services } from '../../../src/services.ts';
import { readSettings } from '../../../src/settings/readSettings.ts';
import { hubMessages } from '../../support/hubMessages.ts';
import { jsonMessage } from '../../support/jsonMessage.ts';
import { splitMessages } from '../../support/splitMessages.ts';
import { insertEvent, type TestEvent } from '../../support/testEvent.ts';
import { temporaryFolder } from '../input/temporaryFolder.ts';
import { ensureBundle } from '../run/runMain.ts';

const file = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const TIMEOUT_MS = 120_000;
/** Far from any edge: long after, and long before, tombstones of eight days would have gone. */
const YOUNG_TIME = new Date(Date.now() - 60_000).toISOString();
const OLD_TIME = new Date(Date.now() - 30 * 24 * 60 * 60_000).toISOString();

/** Pause between looks at the letters that are left. */
const POLL_MS = 5;

const { signal } = new AbortController();
let servers: LocalServers;
let services: Services;

before(async () => {
  await ensureBundle();
  servers = await startLocalServers(false);
  services = createServices(readSettings(servers.environment));
});
after(() => servers.close());

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as an operator does, with the app's settings in the environment. */
function ops(args: readonly string[], settings = servers.environment): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const env = { PATH: process.env['PATH'], ...settings };
  const command = [file('local/ops/main.ts'), 'dead-letters', ...args];
  execFile(process.execPath, command, { env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
  });
  return promise;
}

async function opsJson(...args: readonly string[]) {
  const { code, stdout, stderr } = await ops([...args, '--json']);
  assert.equal(stderr, '');
  return { code, ...JSON.parse(stdout) };
}

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const page of createDeadLetterArchive(readSettings(servers.environment)).list({}, signal)) {
    found.push(...page.map(({ name }) => name));
  }
  return found;
}

/** Puts messages aside by hand, as if an older version of the app had not understood them. */
async function putAside(bodies: readonly Buffer[], first: number, enqueuedTime: string): Promise<void> {
  const error = new DataError('invalid-json', 'not understood');
  const messages = hubMessages(bodies, first).map(({ body, source }) => ({
    body,
    source: { ...source, enqueuedTime },
  }));
  await pMap(messages, (message) => services.deadLetters.put({ message, error }, signal), {
    concurrency: 16,
  });
}

async function rowOf(id: number): Promise<unknown> {
  const items = await readReplica(servers);
  const item = items.find((found) => found.id === `shop.dbo.Items:${id}`);
  return item?.row ?? item?.deleted;
}

const removalOf = (id: number, position: number): TestEvent =>
  insertEvent(id, position, { operation: 'DEL', old: `{"Id":"${id}"}`, current: '{}' });

test('the broken message of the recording is listed with its reason, shown, fails again and is discarded', async () => {
  const played = await playMessages(servers, new FunctionLog(), {
    bundle: file('dist/index.cjs'),
    batches: readInput(file('local/recording.jsonl'), { onSkip: () => {} }),
    concurrency: 'one',
    onMessages: () => {},
  });
  assert.equal(played.redeliveries, 0);
  const { stdout, code, stderr } = await ops(['list']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^2026-08-07\/invalid-json\/4-4-[0-9a-f]{16} +invalid-json +2026-08-07T/m);
  assert.match(stdout, /the envelope is not JSON at position 700/);
  const [name = '', ...others] = await names();
  assert.deepEqual(others, []);

  const shown = await ops(['show', name]);
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, /^Meaning +A level of the message that should be JSON is not\.$/m);
  assert.match(shown.stdout, /^ {2}logicalid +/m);
  assert.equal(Buffer.byteLength((await ops(['show', name, '--body'])).stdout), 700);

  const again = await ops(['replay', name]);
  assert.equal(again.code, 1);
  assert.match(again.stdout, /^Dead letters again: 1$/m);
  assert.deepEqual(await names(), [name]);

  const refused = await ops(['discard', name]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /no terminal to ask at; add --yes\n$/);
  assert.deepEqual(await names(), [name]);
  assert.equal((await ops(['discard', name, '--yes'])).code, 0);
  assert.deepEqual(await names(), []);
  assert.equal((await ops(['discard', name, '--yes'])).code, 1);
});

test('a message that is understood now is applied, with its segments where it is split, and its letters go', async () => {
  const bodies = [
    jsonMessage(insertEvent(1, 1)),
    ...splitMessages(insertEvent(2, 2), { form: 'avro', base: 0, cuts: [30, 60] }).reverse(),
  ];
  await putAside(bodies, 0, YOUNG_TIME);
  const { code, stdout, stderr } = await ops(['replay', '--all']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^Replayed 4 of 4: 4 applied, 0 superseded, 0 excluded, 0 parked$/m);
  assert.match(stdout, /Replay dead letters: 4 of 4/);
  assert.deepEqual(
    [await rowOf(1), await rowOf(2)],
    [
      { Id: 1, Name: 'name 1' },
      { Id: 2, Name: 'name 2' },
    ],
  );
  assert.deepEqual(await names(), []);
  const nothing = await opsJson('replay', '--all');
  assert.deepEqual([nothing.code, nothing.letters], [0, 0]);
});

test('an old message joins what exists and creates nothing, unless it is told to', async () => {
  await replicate(hubMessages([jsonMessage(insertEvent(10, 10))]), services);
  const change = insertEvent(10, 11, { operation: 'UPD', current: '{"Id":"10","Name":"joined"}' });
  const lost = [insertEvent(11, 12), removalOf(12, 13)];
  await putAside(
    [change, ...lost].map((event) => jsonMessage(event)),
    100,
    OLD_TIME,
  );
  await putAside(splitMessages(insertEvent(13, 14), { form: 'text', base: 0, cuts: [50] }), 200, OLD_TIME);

  const report = await opsJson('replay', '--day', OLD_TIME.slice(0, 10), '--code', 'invalid-json');
  assert.deepEqual([report.code, report.applied, report.withheld.length], [1, 1, 4]);
  assert.deepEqual(report.withheld.toSorted(), await names());
  assert.deepEqual(await Promise.all([10, 11, 12, 13].map(rowOf)), [
    { Id: 10, Name: 'joined' },
    undefined,
    undefined,
    undefined,
  ]);

  const created = await opsJson('replay', '--all', '--create');
  assert.deepEqual([created.code, created.applied, await names()], [0, 4, []]);
  assert.deepEqual(await Promise.all([11, 12, 13].map(rowOf)), [
    { Id: 11, Name: 'name 12' },
    true,
    { Id: 13, Name: 'name 14' },
  ]);
});

for (const ending of ['SIGKILL', 'SIGINT'] as const) {
  test(`a replay that is ended by ${ending} while another one runs loses nothing`, async () => {
    const first = ending === 'SIGKILL' ? 1_000 : 2_000;
    const ids = Array.from({ length: 300 }, (_, index) => first + index);
    await putAside(
      ids.map((id) => jsonMessage(insertEvent(id, id))),
      first,
      YOUNG_TIME,
    );
    const other = ops(['replay', '--all']);
    const child = spawn(process.execPath, [file('local/ops/main.ts'), 'dead-letters', 'replay', '--all'], {
      env: { PATH: process.env['PATH'], ...servers.environment },
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
    });
    const ended = once(child, 'exit');
    let running = true;
    void Promise.race([ended, other]).then(() => {
      running = false;
    });
    while (running && (await names()).length === ids.length) await sleep(POLL_MS);
    child.kill(ending);
    await Promise.all([ended, other]);
    const rest = await ops(['replay', '--all']);
    assert.equal(rest.code, 0, rest.stdout);
    assert.deepEqual(await names(), []);
    const stored = new Set((await readReplica(servers)).map(({ id }) => id));
    assert.deepEqual(
      ids.filter((id) => !stored.has(`shop.dbo.Items:${id}`)),
      [],
    );
  });
}

test('settings come from a file, and what is wrong with them is told', async (t) => {
  const folder = await temporaryFolder(t, {});
  await writeFile(`${folder}/app.json`, JSON.stringify({ Values: servers.environment }));
  const listed = await ops(['list', '--settings', `${folder}/app.json`], {});
  assert.deepEqual([listed.code, listed.stdout], [0, 'There are no such dead letters.\n']);
  const entries = Object.entries(servers.environment).map(([name, value]) => ({ name, value }));
  await writeFile(`${folder}/app.json`, JSON.stringify(entries));
  const replayed = await ops(['replay', '--all', '--settings', `${folder}/app.json`], {});
  assert.equal(replayed.code, 0, replayed.stderr);
  await writeFile(
    `${folder}/app.json`,
    JSON.stringify({ Values: { ...servers.environment, COSMOS_ENDPOINT: 'x' } }),
  );
  const wrong = await ops(['list', '--settings', `${folder}/app.json`], {});
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^COSMOS_ENDPOINT is not a URL: put there .*\n$/);
  const missing = await ops(['list', '--settings', `${folder}/none.json`], {});
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^.*none\.json cannot be read \(ENOENT\).*\n$/);
});

test('a storage account that does not answer is told in one line', async () => {
  const connectionString = /^(.*BlobEndpoint=)/.exec(servers.settings.BLOB_CONNECTION_STRING)?.[1] ?? '';
  const settings = {
    ...servers.environment,
    BLOB_CONNECTION_STRING: `${connectionString}http://127.0.0.1:1/a;`,
  };
  const { code, stderr } = await ops(['list'], settings);
  assert.equal(code, 1);
  assert.match(stderr, /^Blob storage: listing dead letters failed \(ECONNREFUSED\); try again\n$/);
});
