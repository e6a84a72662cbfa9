import type { DeadLetter } from '../deadletter/deadLetter.ts';
import type { ReasonCode } from '../errors/dataErrors.ts';
import type { Message } from '../model/message.ts';
import type { OperationCounts } from '../replica/applyRows.ts';
import type { Assembled } from './assembled.ts';
import type { FoldedRows, Notes } from './foldRows.ts';
import { Ledger } from './ledger.ts';
import { messagesOf } from './received.ts';
import type { Settled } from './settleEvents.ts';

/** What a batch came to: counts only, no values. The six ways to end add up to `messages`. */
export interface BatchReport extends Notes, OperationCounts {
  readonly messages: number;
  /** Changes decoded: a split event is one change and several messages. */
  readonly changes: number;
  readonly applied: number;
  readonly superseded: number;
  /** Left out by REPLICA_CONFIG, or says nothing of a row: what Debezium sends besides changes. */
  readonly excluded: number;
  readonly parked: number;
  readonly deadLettered: number;
  /** Only of a replay that may not create items: left as they are. */
  readonly withheld: number;
  /** Segments parked by earlier batches whose event ended in this one. */
  readonly released: number;
  /** Dead letters by reason code, those of released segments included. */
  readonly reasons: Readonly<Partial<Record<ReasonCode, number>>>;
  /** Rows touched. */
  readonly rows: number;
}

export interface BatchResults {
  readonly messages: readonly Message[];
  /** Messages that say nothing of a row. */
  readonly ignored: readonly Message[];
  readonly assembled: Assembled;
  readonly folded: FoldedRows;
  readonly settled: Settled;
  readonly letters: readonly DeadLetter[];
  readonly operations: OperationCounts;
}

/** Step 9: closes the books. @throws Bug when a message is not accounted for exactly once. */
export function batchReport(results: BatchResults): BatchReport {
  const { messages, ignored, assembled, folded, settled, letters, operations } = results;
  const ledger = new Ledger(messages);
  for (const message of settled.applied.flatMap(messagesOf)) ledger.enter(message, 'applied');
  for (const message of settled.superseded.flatMap(messagesOf)) ledger.enter(message, 'superseded');
  for (const message of folded.excluded.flatMap(messagesOf)) ledger.enter(message, 'excluded');
  for (const message of ignored) ledger.enter(message, 'excluded');
  for (const message of assembled.superseded) ledger.enter(message, 'superseded');
  for (const message of assembled.parked) ledger.enter(message, 'parked');
  for (const message of withheldOf(results)) ledger.enter(message, 'withheld');
  for (const { message } of letters) ledger.enter(message, 'deadLettered');
  return {
    messages: messages.length,
    changes: assembled.events.length,
    ...ledger.close(),
    released: ledger.fromEarlierBatches,
    reasons: countReasons(letters),
    rows: folded.rows.length,
    ...operations,
    ...folded.notes,
  };
}

/** Messages of which nothing was made, because they would have created something. */
export function withheldOf({ assembled, settled }: Pick<BatchResults, 'assembled' | 'settled'>): Message[] {
  return [...assembled.withheld, ...settled.withheld.flatMap(messagesOf)];
}

function countReasons(letters: readonly DeadLetter[]): BatchReport['reasons'] {
  const counts: Partial<Record<ReasonCode, number>> = {};
  for (const { error } of letters) counts[error.code] = (counts[error.code] ?? 0) + 1;
  return counts;
}
