import { foldName } from '../model/name.ts';
import type { JsonType } from '../replica/jsonValue.ts';
import type { MaskConfig, TableConfig } from './configSchema.ts';
import { NameMap } from './nameMap.ts';
import type { Normalization } from './normalize.ts';

/** What an entry under `tables` says of columns; case does not count in their names. */
export interface ColumnChoices {
  /** Undefined when the entry does not list columns to include. */
  readonly isIncluded: ((column: string) => boolean) | undefined;
  readonly isExcluded: (column: string) => boolean;
  readonly names: NameMap<string>;
  readonly masks: NameMap<MaskConfig>;
  readonly types: NameMap<JsonType>;
  readonly ways: NameMap<readonly Normalization[]>;
}

export function columnChoices({ columns = {}, normalize }: TableConfig): ColumnChoices {
  return {
    isIncluded: columns.include && isIn(columns.include),
    isExcluded: isIn(columns.exclude ?? []),
    names: new NameMap(columns.rename),
    masks: new NameMap(columns.mask),
    types: new NameMap(columns.types),
    ways: new NameMap(normalize),
  };
}

function isIn(names: readonly string[]): (column: string) => boolean {
  const folded = new Set(names.map(foldName));
  return (column) => folded.size > 0 && folded.has(foldName(column));
}
