import type { TextMap } from '../replica/tableRules.ts';
import type { TableConfig } from './configSchema.ts';

export type Normalization = NonNullable<TableConfig['normalize']>[string][number];

/**
 * Makes key values equal that SQL Server takes for equal, each way in its turn. Where collations differ, values stay
 * apart: two items for a row whose key was spelled anew can be told, one item for two rows cannot.
 */
export function normalizer(ways: readonly Normalization[]): TextMap {
  return (text) => ways.reduce((result, way) => maps[way](result), text);
}

const maps: Readonly<Record<Normalization, TextMap>> = {
  ci: foldCase,
  rtrim: trimSpaces,
  guid: plainGuid,
};

const ascii = /^[\0-\x7f]*$/;

function foldCase(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : Array.from(text, foldLetter).join('');
}

/** Letter by letter, and only where upper and lower case name each other: not ß and SS, ı and I, ſ and S. */
function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.toUpperCase() === letter ? lower : letter;
}

/** SQL Server compares texts as if they were padded with spaces (ANSI/ISO SQL-92). A pattern would be slow for many. */
function trimSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Upper case without braces, as SQL Server writes a uniqueidentifier; any other text stays as it is. */
function plainGuid(text: string): string {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  return guid.test(inner) ? inner.toUpperCase() : text;
}
