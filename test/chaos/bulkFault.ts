import type { Fault } from './fault.ts';
import type { Answer } from './faultyProxy.ts';

type OperationsFault = Extract<Fault, { readonly kind: 'operations' }>;

/** Has the operations done that do not meet the fault, and puts the answers of the fault in their places. */
export async function answerOperations(
  body: Buffer,
  fault: OperationsFault,
  pass: (body: Buffer) => Promise<Answer>,
): Promise<Answer> {
  const { everyNth, status, done, retryAfterMs } = fault;
  const operations: readonly unknown[] = JSON.parse(body.toString());
  const sent = operations.filter((_, place) => done || place % everyNth !== 0);
  const answer = sent.length === 0 ? nothingDone : await pass(Buffer.from(JSON.stringify(sent)));
  const answers: unknown[] = JSON.parse(answer.body.toString());
  const failed = { statusCode: status, requestCharge: 0, retryAfterMilliseconds: retryAfterMs };
  const all = operations.map((_, place) => {
    const struck = place % everyNth === 0;
    const real = struck && !done ? undefined : answers.shift();
    return struck ? failed : real;
  });
  return { ...answer, body: Buffer.from(JSON.stringify(all)) };
}

const nothingDone: Answer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('[]'),
};
