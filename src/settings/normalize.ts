import type { TextMap } from '../replica/tableRules.ts';
import type { TableConfig } from './configSchema.ts';

export type Normalization = NonNullable<TableConfig['normalize']>[string][number];

/** Makes key values equal that SQL Server takes for equal, each way in its turn. */
export function normalizer(ways: readonly Normalization[]): TextMap {
  return (text) => ways.reduce((result, way) => maps[way](result), text);
}

const maps: Readonly<Record<Normalization, TextMap>> = {
  // Upper case first: some letters, such as the Greek final sigma, have two lower-case forms and one upper-case one.
  ci: (text) => text.toUpperCase().toLowerCase(),
  // SQL Server compares char and varchar values as if they were padded with spaces (ANSI/ISO SQL-92).
  rtrim: (text) => text.replace(/ +$/, ''),
  guid: (text) => text.replace(/^\{(.*)\}$/s, '$1').toUpperCase(),
};
