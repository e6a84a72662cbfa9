import pMap from 'p-map';
import type { DeadLetterArchive } from '../../src/deadletter/deadLetterArchive.ts';
import { BLOB_CONCURRENCY } from '../../src/limits.ts';
import { UserError } from '../run/userError.ts';
import type { Ask } from './askUser.ts';
import type { Output } from './output.ts';
import type { DiscardRequest } from './request.ts';
import { selectNames } from './selectNames.ts';

/**
 * Removes dead letters for good.
 * @param ask undefined where nobody can be asked.
 * @returns 1 when some of those named are not there, when there are more left, or when the answer was no.
 * @throws UserError when nobody can be asked and nobody said yes; OutageError
 */
export async function discardLetters(
  { selection, yes }: DiscardRequest,
  archive: DeadLetterArchive,
  output: Output,
  ask: Ask | undefined,
): Promise<0 | 1> {
  if (!yes && ask === undefined) {
    throw new UserError('what is discarded is gone for good, and there is no terminal to ask at; add --yes');
  }
  const { signal } = new AbortController();
  const { names, named, more } = await selectNames(selection, archive, signal);
  const what = `${names.length.toLocaleString('en-US')} dead ${names.length === 1 ? 'letter' : 'letters'}`;
  if (names.length > 0 && !yes && !(await ask?.(`Discard ${what} for good?`))) {
    output.write('Nothing was discarded.\n');
    return 1;
  }
  const removed = await pMap(names, (name) => archive.remove(name, signal), {
    concurrency: BLOB_CONCURRENCY,
  });
  const gone = removed.filter((done) => !done).length;
  const notes = [
    gone > 0 ? `; ${gone} ${gone === 1 ? 'was' : 'were'} not there` : '',
    more ? '; there are more, run it again' : '',
  ];
  output.write(`Discarded ${removed.length - gone} of ${what}${notes.join('')}\n`);
  return (named && gone > 0) || more ? 1 : 0;
}
