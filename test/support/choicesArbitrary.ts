import fc from 'fast-check';
import type { TableConfig } from '../../src/settings/configSchema.ts';
import { insertEvent, type TestEvent } from './testEvent.ts';

/** Odd names among the plain ones; the Chinese one keeps the text from being taken for latin-1. */
export const modelColumns = ['Id', 'K', 'A', 'B', '$blob', '__proto__', 'a.b"c', '漢', 'N'] as const;

export type Values = ReadonlyMap<string, string | null>;

/** A change as a source may send it; nothing ties one to another. */
export interface ModelChange {
  readonly operation: 'INS' | 'UPD' | 'DEL';
  readonly old: Values;
  readonly current: Values;
}

const keyText = fc.constantFrom('a', 'A', 'a ', 'b', '', 'x,y', '\u{1f600}', '\ud83d');
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 4 }) },
  fc.constantFrom('{"$blob":"x","bytes":1,"sha256":"y"}', '\ud800', '\u0000\u001f"\\', '漢'.repeat(900)),
  fc.constantFrom('x', 'y', '\u0001').map((one) => one.repeat(1_500)),
  { weight: 2, arbitrary: fc.constant(null) },
);
const number = fc.constantFrom('0', '-7', '2147483647', 'many', null);

const image = (all: boolean): fc.Arbitrary<Values> =>
  fc
    .record({
      Id: keyText,
      K: fc.oneof({ weight: 9, arbitrary: keyText }, fc.constant(null)),
      texts: fc.tuple(text, text, text, text, text, text),
      N: number,
      missing: all ? fc.constant([]) : fc.subarray([...modelColumns]),
    })
    .map(({ Id, K, texts, N, missing }) => {
      const values = new Map<string, string | null>([
        ['Id', Id],
        ['K', K],
      ]);
      for (const [place, value] of texts.entries()) values.set(modelColumns[place + 2] ?? '', value);
      values.set('N', N);
      for (const column of missing) values.delete(column);
      return values;
    });

export const modelChange: fc.Arbitrary<ModelChange> = fc.oneof(
  image(true).map((current) => ({ operation: 'INS' as const, old: new Map(), current })),
  fc
    .record({ old: fc.oneof(image(false), fc.constant(new Map())), current: image(false) })
    .filter(({ current }) => current.size > 0)
    .map((images) => ({ operation: 'UPD' as const, ...images })),
  image(true).map((old) => ({ operation: 'DEL' as const, old, current: new Map() })),
);

const someColumns = fc.subarray([...modelColumns], { maxLength: 4 });
/** A document cannot name it. */
const named = modelColumns.filter((column) => column !== '__proto__');

export const modelChoices: fc.Arbitrary<TableConfig> = fc.record(
  {
    updates: fc.constantFrom('merge' as const, 'replace' as const),
    deletes: fc.constantFrom('tombstone' as const, 'soft' as const, 'ignore' as const),
    key: fc.constantFrom(['K'], ['K', 'Id'], ['Id']),
    normalize: fc.constantFrom({ Id: ['ci', 'rtrim'] }, { K: ['rtrim'], Id: ['ci'] }) as fc.Arbitrary<
      NonNullable<TableConfig['normalize']>
    >,
    itemBytes: fc.constant(4_500),
    columns: fc.record(
      {
        include: someColumns,
        exclude: fc.subarray(['A', 'B', 'N', '__proto__', '$blob', 'K'], { maxLength: 2 }),
        rename: fc.constantFrom<Record<string, string>>(
          { A: 'B', B: 'A' },
          { Id: 'K', K: 'Id' },
          { A: '$blob', $blob: '__proto__', 漢: 'constructor' },
          { A: 'B' },
        ),
        mask: fc.dictionary(
          fc.constantFrom(...named),
          fc.constantFrom('hash' as const, { fixed: '*' }, { last: 1 }),
          { maxKeys: 3 },
        ),
        types: fc.constantFrom<NonNullable<NonNullable<TableConfig['columns']>['types']>>(
          { N: 'text' },
          { N: 'boolean', A: 'text' },
        ),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<TableConfig>;

/** @param position in the log. */
export function modelEvent({ operation, old, current }: ModelChange, position: number): TestEvent {
  const id = current.get('Id') ?? old.get('Id') ?? 'a';
  return insertEvent(0, position, {
    operation,
    cols: modelColumns.map((name, index) => ({ name, type: name === 'N' ? 'int' : 'nvarchar(max)', index })),
    pkkey: [{ columnname: 'Id', value: id }],
    old: JSON.stringify(Object.fromEntries(old)),
    current: JSON.stringify(Object.fromEntries(current)),
  });
}
