import fc from 'fast-check';
import { insertEvent, type TestEvent } from './testEvent.ts';

/** Any text a column can hold: several bytes a character, surrogate pairs, escapes, quotes, control characters. */
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '/',
    '\u0000\u001f\u007f',
    '漢字',
    '\u{1f600}\u{1f1ee}',
    '{"eventsource":1}',
    '\ufffd',
  ),
);

/**
 * Events with any values. Each holds a character above U+00FF, so that text cannot be taken for bytes that are
 * written one character each, which would mean another text.
 */
export const anyEvent: fc.Arbitrary<TestEvent> = fc
  .record({
    id: fc.nat(1000),
    position: fc.integer({ min: 1, max: 1_000_000 }),
    old: fc.dictionary(value, fc.option(value), { maxKeys: 3 }),
    current: fc.dictionary(value, fc.option(value), { maxKeys: 3 }),
  })
  .map(({ id, position, old, current }) =>
    insertEvent(id, position, {
      old: JSON.stringify(old),
      current: JSON.stringify({ Id: String(id), Name: '漢', ...current }),
    }),
  );

/** The elements in another order. */
export function shuffled<Element>(elements: readonly Element[]): fc.Arbitrary<Element[]> {
  return fc.shuffledSubarray([...elements], { minLength: elements.length, maxLength: elements.length });
}
