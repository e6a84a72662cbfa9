import type { FetchedLetter } from '../../src/deadletter/deadLetterArchive.ts';
import { defaultDebeziumOptions } from '../../src/debezium/debeziumOptions.ts';
import { DataError } from '../../src/errors/dataError.ts';
import type { LogicalId } from '../../src/model/logicalId.ts';
import type { Message } from '../../src/model/message.ts';
import type { Segment } from '../../src/model/segment.ts';
import { readBody } from '../../src/steps/readBody.ts';
import { AGE_MARGIN_S } from './limits.ts';

/** A letter about to go through the pipeline again. */
export interface Replayable {
  readonly name: string;
  readonly reason: string;
  readonly message: Message;
  /** The event it may be a part of only; undefined for a message that is an event of its own, or is none. */
  readonly splitEvent?: LogicalId;
  /** Whether a delete of its row can have been forgotten since. */
  readonly old: boolean;
}

export interface AgeLimits {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly tombstoneSeconds: number;
}

/** The message as the trigger had it, and what decides how it is replayed. */
export function replayable({ name, reason, body, source }: FetchedLetter, limits: AgeLimits): Replayable {
  const { segment, time } = readable(body);
  const alone = segment === undefined || (segment.final && segment.index === 0);
  return {
    name,
    reason,
    message: { body, source },
    ...(!alone && { splitEvent: segment.logicalId }),
    old: isOld(source.enqueuedTime ?? time ?? undefined, limits),
  };
}

/**
 * Whether a message is older than tombstones get: then a row that is not stored may have been deleted by a newer
 * change that nobody remembers. A message of unknown age counts as old.
 * @param time ISO 8601.
 */
export function isOld(time: string | undefined, { now, tombstoneSeconds }: AgeLimits): boolean {
  const since = time === undefined ? Number.NaN : Date.parse(time);
  return !(now - since < (tombstoneSeconds - AGE_MARGIN_S) * 1000);
}

function readable(body: Buffer): { readonly segment?: Segment; readonly time?: string | null } {
  try {
    const read = readBody(body, defaultDebeziumOptions);
    if (read.kind === 'segment') return { segment: read.segment, time: read.segment.time };
    return read.kind === 'change' ? { time: read.change.time } : {};
  } catch (error) {
    if (error instanceof DataError) return {};
    throw error;
  }
}
