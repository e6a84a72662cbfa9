import type { StoredLetter } from './storedLetter.ts';

/** Which dead letters are meant; what is not given does not matter. */
export interface LetterFilter {
  /** Reason code. */
  readonly code?: string;
  /** `yyyy-mm-dd`: the day the message was enqueued, or put aside where the host did not tell. */
  readonly day?: string;
  /** `db.schema.name`, as CES writes it. Letters that failed before their table was known are of none. */
  readonly table?: string;
}

export function passes(letter: StoredLetter, { code, day, table }: LetterFilter): boolean {
  return (
    (code === undefined || letter.reason === code) &&
    (day === undefined || letter.day === day) &&
    (table === undefined || letter.table === table)
  );
}

/** What the names of all that pass begin with. */
export function namePrefix({ day, code }: LetterFilter): string {
  if (day === undefined) return '';
  return code === undefined ? `${day}/` : `${day}/${code}/`;
}
