import type { DeadLetterArchive, FetchedLetter } from '../../src/deadletter/deadLetterArchive.ts';
import { dataErrors, type ReasonCode } from '../../src/errors/dataErrors.ts';
import { UserError } from '../run/userError.ts';
import { type Envelope, envelopeOf } from './envelope.ts';
import { labelled } from './labelled.ts';
import type { Output } from './output.ts';
import type { ShowRequest } from './request.ts';

/**
 * Shows one dead letter: all that is known of it, but no row values unless its bytes are asked for.
 * @throws UserError when it is not there; OutageError
 */
export async function showLetter(
  { name, json, body }: ShowRequest,
  archive: DeadLetterArchive,
  output: Output,
): Promise<void> {
  const letter = await archive.fetch(name, new AbortController().signal);
  if (letter === undefined) {
    throw new UserError(
      `there is no dead letter '${name}'; npm run ops -- dead-letters list shows their names`,
    );
  }
  if (body) output.write(letter.body);
  else if (json) output.write(`${JSON.stringify(jsonOf(letter), null, 2)}\n`);
  else output.write(`${linesOf(letter).join('\n')}\n`);
}

function jsonOf({ body, ...letter }: FetchedLetter): object {
  return { ...letter, ...explanationOf(letter.reason), ...envelopeOf(body) };
}

function linesOf({ body, ...letter }: FetchedLetter): string[] {
  const { meaning, action } = explanationOf(letter.reason);
  const { source } = letter;
  return [
    ...labelled({
      Name: letter.name,
      Reason: letter.reason,
      Message: letter.message,
      Meaning: meaning,
      'What to do': action,
      Table: letter.table,
      Key: letter.key,
      Hub: source.hub,
      Partition: source.partition,
      'Sequence number': source.sequenceNumber,
      Offset: source.offset,
      Enqueued: source.enqueuedTime,
      'Put aside': letter.keptTime,
      Bytes: letter.bytes.toLocaleString('en-US'),
    }),
    '',
    ...envelopeLines(envelopeOf(body)),
    '',
    'No row values are shown; --body gives the bytes of the message.',
  ];
}

function envelopeLines({ envelope, unreadable }: Envelope): string[] {
  return [
    ...(envelope === undefined ? [] : ['Envelope', ...labelled(envelope).map((line) => `  ${line}`)]),
    ...(unreadable === undefined ? [] : [`Cannot be read by this version of the app: ${unreadable}`]),
  ];
}

function explanationOf(reason: string): { readonly meaning?: string; readonly action?: string } {
  return Object.hasOwn(dataErrors, reason) ? dataErrors[reason as ReasonCode] : {};
}
