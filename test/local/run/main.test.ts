import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { recordingLine } from '../input/inputs.ts';
import { temporaryFolder } from '../input/temporaryFolder.ts';
import { failingApp } from './failingApp.ts';
import { ensureBundle, runForSummary, runMain, startMain } from './runMain.ts';

before(ensureBundle);

describe('npm run local', () => {
  it('plays the bundled recording and accounts for every message', async () => {
    const { code, totals, blobs, tables, redeliveries, log, requests } = await runForSummary();
    assert.equal(code, 0);
    const { messages, changes, applied, superseded, parked, deadLettered, released, batches } = totals;
    assert.deepEqual(
      { messages, changes, applied, superseded, parked, deadLettered, released, batches, redeliveries },
      {
        messages: 83,
        changes: 68,
        applied: 57,
        superseded: 12,
        parked: 13,
        deadLettered: 1,
        released: 12,
        batches: 16,
        redeliveries: 0,
      },
    );
    assert.deepEqual(blobs, {
      parkedEvents: 0,
      parkedSegments: 0,
      deadLetters: 1,
      reasons: { 'invalid-json': 1 },
    });
    assert.deepEqual(
      tables.map(({ table, rows, tombstones }) => [table, rows, tombstones]),
      [
        ['Billing.dbo.Payments', 3, 0],
        ['Community.dbo.Reviews', 2, 1],
        ['EmployeesDb.dbo.Employees', 0, 1],
        ['Shop.dbo.Customers', 4, 1],
        ['Shop.dbo.OrderLines', 7, 1],
        ['Shop.dbo.Orders', 4, 1],
        ['Warehouse.dbo.Products', 4, 2],
        ['WpcDemo.dbo.Product', 1, 0],
        ['db1.dbo.Purchases', 0, 1],
      ],
    );
    assert.equal(log.count, 1);
    assert.match(log.lines[0] ?? '', /^warning: dead letter .*invalid-json/);
    assert.ok(requests.cosmos > 0 && requests.blob > 0);
  });

  it('prints plain lines, rows and a summary where there is no terminal', async () => {
    const { code, stdout, stderr } = await runMain();
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^Warehouse\.dbo\.Products/m);
    assert.match(stdout, /佐藤 花子 +京都/);
    assert.match(stdout, /^Messages +83 +in 16 batches$/m);
    assert.match(stdout, /dead-lettered +1 +invalid-json 1$/m);
    assert.match(stdout, /^Next: /m);
    assert.ok(!stdout.includes('\u001b'), 'there are escape sequences in plain output');
  });

  it('does with --config what the document says, and compares the tables that it leaves alone', async (t) => {
    const folder = await temporaryFolder(t);
    const config = join(folder, 'config.json');
    await writeFile(
      config,
      JSON.stringify({
        tables: {
          'Shop.dbo.Documents': { container: 'documents', deletes: 'ignore' },
          'Shop.dbo.Purchases': { columns: { mask: { customer_name: 'hash' } } },
          'Plant.dbo.Readings': { include: false },
        },
      }),
    );
    const summary = await runForSummary('--simulate', '300', '--seed', '7', '--config', config);
    const { code, comparison, notCompared, totals, tables, placeholderSalt } = summary;
    assert.deepEqual([code, comparison?.differences, placeholderSalt], [0, [], true]);
    assert.ok((comparison?.equalRows ?? 0) > 0);
    assert.deepEqual(notCompared?.toSorted(), [
      'Plant.dbo.Readings',
      'Shop.dbo.Documents',
      'Shop.dbo.Purchases',
    ]);
    assert.ok(totals.excluded > 0);
    const documents = tables.find(({ table }) => table === 'Shop.dbo.Documents');
    assert.ok((documents?.rows ?? 0) > 0, 'rows of another container are read, too');
    assert.equal(documents?.tombstones, 0);
    assert.ok(!tables.some(({ table }) => table === 'Plant.dbo.Readings'));

    const { stdout } = await runMain('--from', 'test/cases', '--config', config);
    assert.match(stdout, /^MASK_SALT is not set/m);
    await writeFile(config, '{"tabels":{}}');
    const wrong = await runMain('--config', config);
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^--config .*did you mean "tables"\?\n$/);
  });

  for (const [encoding, ...more] of [
    ['json', '--json-data', 'latin1', '--generation', 'mixed', '--first-index', '1'],
    ['avro', '--changed-columns-only', '--no-old-values', '--scheme', 'column'],
  ]) {
    it(`converges with a simulated source in ${encoding}`, async () => {
      const { code, comparison, simulation, blobs } = await runForSummary(
        ...['--simulate', '300', '--seed', '7', '--segment-bytes', '1000', '--encoding', String(encoding)],
        ...more,
      );
      assert.deepEqual(comparison?.differences, []);
      assert.equal(code, 0);
      assert.ok((comparison?.equalRows ?? 0) > 0 && (comparison?.equalTombstones ?? 0) > 0);
      assert.equal(simulation?.changes, 300);
      assert.ok((simulation?.splitEvents ?? 0) > 0);
      assert.equal(blobs.parkedEvents, 0);
      assert.equal(blobs.deadLetters, 0);
    });
  }

  it('says that it converged', async () => {
    const { code, stdout } = await runMain('--simulate', '20', '--key-changes', 'update');
    assert.equal(code, 0);
    assert.match(stdout, /^converged: \d+ rows equal/m);
  });

  it('tells which files of a folder it skips', async (t) => {
    const folder = await temporaryFolder(t, { 'a.jsonl': foreignMessages(12), 'notes.txt': 'no message' });
    const { code, stdout } = await runMain('--from', folder);
    assert.equal(code, 0);
    assert.match(stdout, /^Skipped .*notes\.txt: it is neither JSON nor Avro$/m);
    assert.match(stdout, /^The replica has no rows\.$/m);
    assert.match(stdout, /^ {2}and 2 more warnings or errors$/m);
  });

  it('keeps the servers until Ctrl-C, and ends well', async () => {
    const child = startMain('--keep', '--json');
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    while (!printed.endsWith('}\n')) await once(child.stdout ?? child, 'data');
    const { settings } = JSON.parse(printed);
    const { status } = await fetch(settings.COSMOS_ENDPOINT);
    assert.equal(status, 200);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    await assert.rejects(fetch(settings.COSMOS_ENDPOINT));
  });
});

/** A recording of messages that are none of CES. */
function foreignMessages(count: number): string {
  return Array.from({ length: count }, (_, sequenceNumber) =>
    recordingLine({ sequenceNumber, bodyText: 'hello' }),
  ).join('\n');
}

describe('npm run local, given something wrong', () => {
  const cases: Readonly<Record<string, readonly [args: readonly string[], message: RegExp]>> = {
    'an unknown option': [['--form', 'x'], /unknown option '--form' \(Did you mean --from\?\); --help/],
    'an argument that belongs to nothing': [['recording.jsonl'], /too many arguments.*options come after --/],
    'a missing path': [['--from', 'no/such/file.json'], /no\/such\/file\.json: does not exist; give a /],
    'no number': [['--simulate', 'many'], /--simulate <changes>: 'many' is not a number/],
    'a number out of range': [['--simulate', '1.5'], /--simulate must be a whole number from 0 to /],
    'a partition count out of range': [
      ['--simulate', '9', '--partitions', '99'],
      /--partitions must be .* 32/,
    ],
    'an unknown choice': [['--simulate', '9', '--encoding', 'xml'], /'xml' is invalid.*json, avro, mixed/],
    'two sources': [['--simulate', '9', '--from', 'x'], /'--from <path>' cannot be used with .*--simulate/],
    'a simulation option without a simulation': [['--seed', '4'], /--seed is .*; add --simulate <changes>/],
    'options that exclude each other': [
      ['--simulate', '9', '--key-changes', 'update', '--changed-columns-only'],
      /--key-changes 'update' needs to go without --changed-columns-only/,
    ],
    'a missing bundle': [['--bundle', 'no/index.cjs'], /no\/index\.cjs is missing; npm run build makes it/],
  };
  for (const [name, [args, message]] of Object.entries(cases)) {
    it(`says in one line what to do about ${name}`, async () => {
      await expectComplaint(args, message);
    });
  }

  it('says in one line what to do about an empty folder, and about a file that is no message', async (t) => {
    const folder = await temporaryFolder(t, { 'notes.txt': 'no message' });
    await expectComplaint(
      ['--from', folder],
      /has no message files in it; give a message of CES or Debezium /,
    );
    await expectComplaint(
      ['--from', `${folder}/notes.txt`],
      /is no message of CES or Debezium: it is neither JSON nor/,
    );
  });

  it('says in one line where a recording is broken, also when others have been played by then', async (t) => {
    const lines = foreignMessages(150);
    const folder = await temporaryFolder(t, { 'a.jsonl': `${lines}\n{"partition":"x"}` });
    await expectComplaint(['--from', folder], /a\.jsonl: line 151 is not a recorded message/);
  });

  it('says in one line what to do about a bundle that is no function app', async (t) => {
    const folder = await temporaryFolder(t, {
      'empty.cjs': 'module.exports = {};',
      'throwing.cjs': 'throw new Error("first line\\nsecond line");',
    });
    await expectComplaint(
      ['--bundle', `${folder}/empty.cjs`],
      /has no function replicate; run npm run build/,
    );
    await expectComplaint(
      ['--bundle', `${folder}/throwing.cjs`],
      /failed to load: first line; run npm run build/,
    );
  });

  it('gives up on a batch that fails every time, after a bounded number of attempts', async (t) => {
    const { code, stderr } = await runMain('--bundle', await failingApp(t), '--json');
    assert.equal(code, 1);
    assert.match(stderr, /^gave up on the batch of partition \d .* after 5 attempts: out of order\n$/);
  });
});

async function expectComplaint(args: readonly string[], message: RegExp): Promise<void> {
  const { code, stderr } = await runMain(...args);
  assert.equal(code, 2);
  assert.match(stderr, message);
  assert.equal(stderr.trimEnd().split('\n').length, 1, `more than one line: ${stderr}`);
}
