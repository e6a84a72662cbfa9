import assert from 'node:assert/strict';
import type { ReplayServices } from '../../../local/ops/replayBatch.ts';
import { DataError } from '../../../src/errors/dataError.ts';
import type { ReasonCode } from '../../../src/errors/dataErrors.ts';
import type { Message, MessageSource } from '../../../src/model/message.ts';
import { MemoryArchive } from '../../support/memoryArchive.ts';
import { type TestServices, testServices, testSettings } from '../../support/testServices.ts';

/** The time at which the tests replay. */
export const NOW = Date.parse('2026-08-20T00:00:00.000Z');
export const YOUNG_TIME = '2026-08-19T00:00:00.000Z';
/** Longer ago than tombstones live. */
export const OLD_TIME = '2026-08-11T00:00:00.000Z';
assert.ok(NOW - Date.parse(OLD_TIME) > testSettings.tombstoneSeconds * 1000);

/** Stores in memory, dead letters included. */
export function replayServices(): ReplayServices & Pick<TestServices, 'store' | 'parking'> & Archive {
  const archive = new MemoryArchive();
  return { ...testServices(), deadLetters: archive, archive };
}

interface Archive {
  readonly archive: MemoryArchive;
}

let sent = 0;

/** Puts a message aside as the app has, for a reason that another version of it does not see any more. */
export async function putAside(
  { archive }: Archive,
  body: Buffer,
  { time = YOUNG_TIME, code = 'invalid-json' as ReasonCode, source = {} as MessageSource } = {},
): Promise<string> {
  sent += 1;
  const place = { hub: 'changes', partition: '0', sequenceNumber: String(sent), enqueuedTime: time };
  const message: Message = { body, source: { ...place, ...source } };
  const before = new Set(archive.names());
  await archive.put({ message, error: new DataError(code, 'what an older version found') });
  const name = archive.names().find((found) => !before.has(found));
  assert.ok(name !== undefined, 'the letter is a new one');
  return name;
}
