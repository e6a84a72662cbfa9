import { DataError } from '../errors/dataError.ts';
import type { ChangeHead } from '../model/changeHead.ts';
import type { Segment } from '../model/segment.ts';
import type { DataHead } from './dataHead.ts';
import { checkPosition } from './dataRecord.ts';
import { readAvroHead } from './readAvroHead.ts';
import { readJsonHead } from './readJsonHead.ts';

/**
 * Reads table, columns and key of an event that is not whole. They stand at the beginning of its data, so the
 * first segments are enough.
 * @param segments those known of one event, in any order, each index once.
 * @returns undefined when the first segment is missing, or does not hold the whole key.
 */
export function readChangeHead(segments: readonly Segment[]): ChangeHead | undefined {
  const run = firstRun(segments);
  const [first] = run;
  if (first === undefined || run.some(({ encoding }) => encoding !== first.encoding)) return undefined;
  try {
    const head = readHead(first.encoding, run);
    if (head === undefined || head.key.length === 0) return undefined;
    if (head.transaction !== null) checkPosition(first, head.transaction);
    const { table, columns, key, old } = head;
    return { position: first.logicalId, operation: first.operation, table, columns, key, old };
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

/** The segments from the first on without a gap. Whether index 1 is the first, only its content tells. */
function firstRun(segments: readonly Segment[]): readonly Segment[] {
  const ascending = segments.toSorted((a, b) => a.index - b.index);
  const first = ascending[0]?.index ?? 0;
  return first > 1 ? [] : ascending.filter(({ index }, position) => index === first + position);
}

function readHead(encoding: Segment['encoding'], run: readonly Segment[]): DataHead | undefined {
  const payloads = run.map(({ payload }) => payload);
  switch (encoding) {
    case 'json':
      return readJsonHead(payloads);
    case 'avro':
      return readAvroHead(payloads);
    default:
      return encoding satisfies never;
  }
}
