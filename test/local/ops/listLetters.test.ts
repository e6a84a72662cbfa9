import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLetters } from '../../../local/ops/listLetters.ts';
import type { ListRequest } from '../../../local/ops/request.ts';
import { DataError } from '../../../src/errors/dataError.ts';
import { MemoryArchive } from '../../support/memoryArchive.ts';
import { putAside, replayServices } from './letters.ts';
import { Listener } from './listen.ts';

async function list(archive: MemoryArchive, request: Partial<ListRequest> = {}): Promise<string> {
  const output = new Listener();
  await listLetters({ kind: 'list', filter: {}, limit: 100, json: false, ...request }, archive, output);
  return output.text;
}

test('a letter is a line: name, reason, when, table, where, and the message cut to the width', async () => {
  const archive = new MemoryArchive();
  const source = { partition: '3', sequenceNumber: '4711', enqueuedTime: '2026-08-07T16:25:01.123Z' };
  await archive.put({
    message: { body: Buffer.from('x'), source },
    error: new DataError('no-key', `pkkey is empty ${'and so on '.repeat(20)}`),
    table: { db: 'shop', schema: 'dbo', name: 'Items' },
  });
  const [header, , line, , count] = (await list(archive)).split('\n');
  assert.match(header ?? '', /^Name +Reason +Enqueued +Table +Partition\/Number +Message$/);
  const start =
    /^2026-08-07\/no-key\/3-4711-[0-9a-f]{16} {2}no-key {2}2026-08-07T16:25:01Z {2}shop\.dbo\.Items {2}3\/4711/;
  assert.match(line ?? '', start);
  assert.match(line ?? '', /pkkey is empty and so on.*…$/);
  assert.equal(count, '1 dead letter');
});

test('there can be none', async () => {
  assert.equal(await list(new MemoryArchive()), 'There are no such dead letters.\n');
  assert.deepEqual(JSON.parse(await list(new MemoryArchive(), { json: true })), { letters: [], more: false });
});

test('a list goes on where the one before ended, without a gap, for every limit', async () => {
  const services = replayServices();
  for (let index = 0; index < 8; index += 1) await putAside(services, Buffer.from(`${index}`));
  const { archive } = services;
  for (let limit = 1; limit <= 9; limit += 1) {
    const names: string[] = [];
    for (let more = true; more; ) {
      const after = names.at(-1);
      const page = JSON.parse(
        await list(archive, { limit, json: true, ...(after !== undefined && { after }) }),
      );
      assert.ok(page.letters.length > 0 && page.letters.length <= limit);
      names.push(...page.letters.map(({ name }: { readonly name: string }) => name));
      more = page.more;
    }
    assert.deepEqual(names, archive.names());
  }
  const [, second = ''] = archive.names();
  assert.match(
    await list(archive, { limit: 2 }),
    new RegExp(`2 shown, and there are more: --after ${second}\n$`),
  );
});

test('a filter that passes later pages only is no end', async () => {
  const services = replayServices();
  for (let index = 0; index < 8; index += 1) await putAside(services, Buffer.from(`${index}`));
  const name = await putAside(services, Buffer.from('x'), { code: 'no-row' });
  const page = JSON.parse(await list(services.archive, { filter: { code: 'no-row' }, limit: 1, json: true }));
  assert.deepEqual([page.letters.length, page.letters[0].name, page.more], [1, name, false]);
});
