import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import { NAMED_LETTERS } from './limits.ts';

/** How the letters of a batch ended. */
export interface ReplayCounts {
  /** Removed, since their result is durable. */
  readonly applied: number;
  readonly superseded: number;
  /** Left out by REPLICA_CONFIG. */
  readonly excluded: number;
  readonly parked: number;
  /** Names of old letters that would have created something. */
  readonly withheld: readonly string[];
  /** Letters that failed again. With another reason than before they have another name now. */
  readonly deadAgain: readonly DeadAgain[];
}

export interface DeadAgain {
  /** The name before the replay. */
  readonly name: string;
  readonly reason: ReasonCode;
}

/** What a replay came to; every letter that was meant is in exactly one place. What `--json` prints. */
export interface ReplayReport extends ReplayCounts {
  readonly letters: number;
  /** Names that are not there, or not any more: replayed or discarded by somebody else. */
  readonly gone: readonly string[];
  /** Letters left as they are, since what they need did not work. */
  readonly failed: readonly Failure[];
  /** Letters that were not tried, since the replay was stopped or gave up. */
  readonly notTried: number;
  /** The operator named the letters one by one. */
  readonly named: boolean;
  /** There are more letters than one replay takes on. */
  readonly more: boolean;
}

export interface Failure {
  readonly names: readonly string[];
  readonly error: string;
}

/** Whether nothing is left to do for the operator. */
export function isComplete(report: ReplayReport): boolean {
  const { withheld, deadAgain, failed, notTried, gone, named, more } = report;
  const left = withheld.length + deadAgain.length + failed.length + notTried;
  return left === 0 && !(named && gone.length > 0) && !more;
}

/** The report for people, one text a line. */
export function replayLines(report: ReplayReport, tombstoneSeconds: number): string[] {
  const {
    letters,
    applied,
    superseded,
    excluded,
    parked,
    withheld,
    deadAgain,
    gone,
    failed,
    notTried,
    more,
  } = report;
  const days = Math.round(tombstoneSeconds / SECONDS_PER_DAY);
  const removed = applied + superseded + excluded + parked;
  return [
    `Replayed ${removed} of ${letters}: ${applied} applied, ${superseded} superseded, ${excluded} excluded, ${parked} parked`,
    ...section(
      `Withheld, since they are older than the ${days} days of tombstones and their rows are not in the replica; ` +
        'they may have been deleted since (--create creates them all the same)',
      withheld,
    ),
    ...section(
      'Dead letters again',
      deadAgain.map(({ name, reason }) => (name.includes(`/${reason}/`) ? name : `${name}, now ${reason}`)),
    ),
    ...failed.flatMap(({ names, error }) => section(`Failed, and can be replayed again: ${error}`, names)),
    ...section('Not there', gone),
    ...(notTried > 0 ? [`Not tried: ${notTried}; run it again`] : []),
    ...(more ? ['There are more than one replay takes on; run it again'] : []),
  ];
}

const SECONDS_PER_DAY = 24 * 60 * 60;

function section(title: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMED_LETTERS;
  return [
    `${title}: ${names.length}`,
    ...names.slice(0, NAMED_LETTERS).map((name) => `  ${name}`),
    ...(more > 0 ? [`  and ${more} more; --json names them all`] : []),
  ];
}
