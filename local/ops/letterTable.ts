import type { StoredLetter } from '../../src/deadletter/storedLetter.ts';
import { cutToWidth, displayWidth, tableWidth, textTable } from '../run/textTable.ts';

/** Narrowest message, in columns of the terminal; the table gets wider than the terminal then. */
const LEAST_MESSAGE_WIDTH = 30;
/** Widest name of a table. */
const MAX_TABLE_WIDTH = 40;

/** Letters for people, one a line. Names are never cut, since they are what the other commands take. */
export function letterTable(letters: readonly StoredLetter[], width: number): string[] {
  const header = ['Name', 'Reason', 'Enqueued', 'Table', 'Partition/Number', 'Message'];
  const rows = letters.map((letter) => [
    letter.name,
    letter.reason,
    timeOf(letter),
    cutToWidth(letter.table ?? '', MAX_TABLE_WIDTH),
    placeOf(letter),
  ]);
  const widths = header.slice(0, -1).map((title, column) => {
    return Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[column] ?? '')));
  });
  const left = Math.max(LEAST_MESSAGE_WIDTH, width - tableWidth([...widths, 0]));
  return textTable(
    header,
    rows.map((row, index) => [...row, cutToWidth(letters[index]?.message ?? '', left)]),
  );
}

/** When it was enqueued, or put aside where nobody told, to the second. */
function timeOf({ source, keptTime = '' }: StoredLetter): string {
  return (source.enqueuedTime ?? keptTime).replace(/(\.\d+)?Z$/, 'Z');
}

/** Where in the hub it was. */
function placeOf({ source: { partition = '?', sequenceNumber = '?' } }: StoredLetter): string {
  return partition === '?' && sequenceNumber === '?' ? '' : `${partition}/${sequenceNumber}`;
}
