import { foldName } from '../model/name.ts';
import type { JsonType } from '../replica/jsonValue.ts';
import type { MaskConfig, TableConfig } from './configSchema.ts';
import { NameMap } from './nameMap.ts';
import type { Normalization } from './normalize.ts';

/** What an entry under `tables` says of columns; case does not count in their names. */
export interface ColumnChoices {
  /** Folded names; undefined when the entry does not list columns to include. */
  readonly included: ReadonlySet<string> | undefined;
  /** Folded names. */
  readonly excluded: ReadonlySet<string>;
  readonly names: NameMap<string>;
  readonly masks: NameMap<MaskConfig>;
  readonly types: NameMap<JsonType>;
  readonly ways: NameMap<readonly Normalization[]>;
}

export function columnChoices({ columns = {}, normalize }: TableConfig): ColumnChoices {
  return {
    included: columns.include && new Set(columns.include.map(foldName)),
    excluded: new Set(columns.exclude?.map(foldName)),
    names: new NameMap(columns.rename),
    masks: new NameMap(columns.mask),
    types: new NameMap(columns.types),
    ways: new NameMap(normalize),
  };
}
