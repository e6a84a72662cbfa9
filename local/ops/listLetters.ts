import type { DeadLetterArchive } from '../../src/deadletter/deadLetterArchive.ts';
import type { StoredLetter } from '../../src/deadletter/storedLetter.ts';
import { letterTable } from './letterTable.ts';
import type { Output } from './output.ts';
import type { ListRequest } from './request.ts';

/** Width of what is printed where there is no terminal, in characters. */
const DEFAULT_WIDTH = 200;

/** Shows dead letters, up to a limit. @throws OutageError */
export async function listLetters(
  { filter, limit, after, json }: ListRequest,
  archive: DeadLetterArchive,
  output: Output,
): Promise<void> {
  const letters: StoredLetter[] = [];
  let more = false;
  for await (const page of archive.list(filter, new AbortController().signal)) {
    const wanted = after === undefined ? page : page.filter(({ name }) => name > after);
    more = letters.length + wanted.length > limit;
    letters.push(...wanted.slice(0, limit - letters.length));
    if (more) break;
  }
  if (json) output.write(`${JSON.stringify({ letters, more }, null, 2)}\n`);
  else output.write(`${lines(letters, more, output.columns ?? DEFAULT_WIDTH).join('\n')}\n`);
}

function lines(letters: readonly StoredLetter[], more: boolean, width: number): string[] {
  const last = letters.at(-1);
  if (last === undefined) return ['There are no such dead letters.'];
  return [
    ...letterTable(letters, width),
    '',
    more
      ? `${letters.length} shown, and there are more: --after ${last.name}`
      : `${letters.length} dead ${letters.length === 1 ? 'letter' : 'letters'}`,
  ];
}
