import { tableText } from '../model/table.ts';
import type { ObservedRow } from './observed.ts';
import type { Warning } from './warnings.ts';

/**
 * Looks for values that are exactly as long as CES cuts them. Its documentation says 1 MB and not of what, so every
 * length that this can mean counts: bytes of `nvarchar` (two a character), bytes of `varchar` or characters, bytes of
 * UTF-8 (with a character that did not fit left out), and bytes of `varbinary` as hexadecimal digits.
 */
export function valuesAtCut(rows: readonly ObservedRow[]): readonly Warning[] {
  const warnings: Warning[] = [];
  for (const { changes } of rows) {
    for (const { change } of changes) {
      // This looks at every value of every change: plain loops, which allocate nothing.
      for (const column in change.current) {
        const value = change.current[column];
        if (typeof value !== 'string' || !isAtCut(value)) continue;
        const subject = `${tableText(change.table)}.${column}`;
        warnings.push({ code: 'value-at-cut', subject, detail: `${value.length} characters` });
      }
    }
  }
  return warnings;
}

const CUT_BYTES = 1024 * 1024;
/** The longest character of UTF-8 leaves this much room when it does not fit. */
const UTF8_SLACK_BYTES = 3;
const cutCharacters: ReadonlySet<number> = new Set([
  CUT_BYTES / 2,
  CUT_BYTES,
  CUT_BYTES * 2,
  // With 0x in front.
  CUT_BYTES * 2 + 2,
]);

function isAtCut(value: string): boolean {
  // The fewest characters that can take that many bytes; nearly every value ends here.
  if (value.length < (CUT_BYTES - UTF8_SLACK_BYTES) / 3) return false;
  if (cutCharacters.has(value.length)) return true;
  const bytes = Buffer.byteLength(value);
  return bytes <= CUT_BYTES && bytes >= CUT_BYTES - UTF8_SLACK_BYTES;
}
