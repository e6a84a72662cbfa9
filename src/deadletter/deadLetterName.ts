import { createHash } from 'node:crypto';
import type { DeadLetter } from './deadLetter.ts';

/**
 * Blob name: `<day>/<reason code>/<partition>-<sequence number>-<digest>`. A message that comes again gets the
 * same name: the day is that of enqueuing, and the digest of the content tells apart what hubs that were made
 * anew have numbered alike.
 * @param now used when the host did not tell the enqueued time.
 */
export function deadLetterName({ message, error }: DeadLetter, now: Date): string {
  const { partition, sequenceNumber, enqueuedTime } = message.source;
  const day = (enqueuedTime ?? now.toISOString()).slice(0, 10);
  const digest = createHash('sha256').update(message.body).digest('hex').slice(0, DIGEST_DIGITS);
  return [day, error.code, [partition ?? 'unknown', sequenceNumber ?? 'unknown', digest].join('-')].join('/');
}

const DIGEST_DIGITS = 16;
