import { parseLsn } from '../../src/model/lsn.ts';
import { type Commit, commitOf } from '../../src/transactions/commit.ts';

/** The commit of an LSN given as a number. */
export function commitAt(lsn: number, epoch = 0): Commit {
  const parsed = parseLsn(lsn.toString(16).padStart(20, '0'));
  if (parsed === undefined) throw new RangeError(`${lsn} is no LSN`);
  return commitOf(epoch, parsed);
}
