import type { ObservedBatch } from './observed.ts';
import type { Warning } from './warnings.ts';

/** What the batch itself counted, as warnings by table. */
export function tableWarnings({ withoutKey, notes }: ObservedBatch): readonly Warning[] {
  const keyless = [...Map.groupBy(withoutKey, (table) => table)].map(
    ([subject, { length }]): Warning => ({ code: 'no-key', subject, detail: `${length} changes` }),
  );
  const noted = [...notes].flatMap(([subject, { unparsedValues, unknownColumns }]): readonly Warning[] => [
    ...(unparsedValues > 0
      ? [{ code: 'unparsed-values', subject, detail: `${unparsedValues} values` } as const]
      : []),
    ...(unknownColumns > 0
      ? [{ code: 'unknown-columns', subject, detail: `${unknownColumns} columns` } as const]
      : []),
  ]);
  return [...keyless, ...noted];
}
