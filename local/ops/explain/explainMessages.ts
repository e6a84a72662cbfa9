import { assembleEvent } from '../../../src/ces/assembleEvent.ts';
import { describeMissing } from '../../../src/ces/describeMissing.ts';
import { readChangeHead } from '../../../src/ces/readChangeHead.ts';
import { assert } from '../../../src/errors/bug.ts';
import type { DataError } from '../../../src/errors/dataError.ts';
import { dataErrors } from '../../../src/errors/dataErrors.ts';
import type { Message } from '../../../src/model/message.ts';
import type { Segment } from '../../../src/model/segment.ts';
import { distinctSegments } from '../../../src/steps/distinctSegments.ts';
import { readSegments } from '../../../src/steps/readSegments.ts';
import { messagesOf, type ReceivedSegment } from '../../../src/steps/received.ts';
import type { Choices } from '../../run/choices.ts';
import { envelopeOf } from '../envelope.ts';
import { explainChange } from './explainChange.ts';
import { explainTable } from './explainTable.ts';
import type { ExplainedEvent, ExplainedMessage, Explanation, Outcome } from './explanation.ts';
import type { PlacedMessage } from './readMessages.ts';

/**
 * Says of each event what its messages mean, by the steps of the pipeline itself, in the order in which its first
 * message comes.
 */
export function explainMessages(
  placed: readonly PlacedMessage[],
  settings: Choices['settings'],
): Explanation[] {
  const messages = placed.map(({ body }): Message => ({ body, source: {} }));
  const numbers = new Map(messages.map((message, number) => [message, number]));
  const numberOf = (message: Message | undefined): number =>
    message === undefined ? -1 : (numbers.get(message) ?? -1);
  const toExplained = (message: Message, copies: readonly Message[] = []): ExplainedMessage => ({
    place: placed[numberOf(message)]?.place ?? '',
    bytes: message.body.length,
    ...(copies.includes(message) && { copy: true as const }),
    ...envelopeOf(message.body),
  });
  const { segments, events, ignored, unreadable } = readSegments(messages, settings.rules.debezium);
  const groups = [...Map.groupBy(segments, ({ segment }) => segment.logicalId.text).values()];
  const found = [
    ...unreadable.map(({ message, error }) => ({
      first: message,
      explanations: [{ messages: [toExplained(message)], outcome: deadLetter(error) }],
    })),
    ...events.map((event) => ({
      first: event.message,
      explanations: [
        {
          messages: messagesOf(event).map((message) => toExplained(message)),
          ...explainChange(event.change, settings, deadLetter),
        },
      ],
    })),
    ...ignored.map((message) => ({
      first: message,
      explanations: [{ messages: [toExplained(message)], outcome: NOT_A_ROW }],
    })),
    ...groups.map((group) => ({
      first: group[0]?.message,
      explanations: explainGroup(group, settings, toExplained),
    })),
  ];
  return found
    .sort((a, b) => numberOf(a.first) - numberOf(b.first))
    .flatMap(({ explanations }) => explanations);
}

const NOT_A_ROW: Outcome = { kind: 'excluded', reason: 'it says nothing of a row' };

function explainGroup(
  group: readonly ReceivedSegment[],
  settings: Choices['settings'],
  toExplained: (message: Message, copies: readonly Message[]) => ExplainedMessage,
): Explanation[] {
  const { segments, copies, conflicts } = distinctSegments(group);
  const ofEvent = [...messagesOf({ segments }), ...copies];
  return [
    {
      messages: ofEvent.map((message) => toExplained(message, copies)),
      ...explainSegments(
        segments.map(({ segment }) => segment),
        settings,
      ),
    },
    ...conflicts.map((one) => ({
      messages: messagesOf(one).map((message) => toExplained(message, [])),
      outcome: deadLetter(one.error),
    })),
  ];
}

/** @param segments of one event, at least one, each index once. */
function explainSegments(
  segments: readonly Segment[],
  settings: Choices['settings'],
): Omit<Explanation, 'messages'> {
  const assembly = assembleEvent(segments);
  switch (assembly.state) {
    case 'whole':
      return { event: eventOf(segments), ...explainChange(assembly.change, settings, deadLetter) };
    case 'broken':
      return { event: eventOf(segments), outcome: deadLetter(assembly.error) };
    case 'incomplete':
      return explainIncomplete(segments, settings);
    default:
      return assembly satisfies never;
  }
}

/** The first segments tell the table and the key before the others are there. */
function explainIncomplete(
  segments: readonly Segment[],
  { rules }: Choices['settings'],
): Omit<Explanation, 'messages'> {
  const head = readChangeHead(segments);
  const missing = describeMissing(segments);
  return {
    event: { ...eventOf(segments), missing },
    ...(head !== undefined && explainTable(head, rules)),
    outcome: { kind: 'parked', reason: missing },
  };
}

function eventOf(segments: readonly Segment[]): ExplainedEvent {
  const ascending = segments.toSorted((a, b) => a.index - b.index);
  const [first] = ascending;
  assert(first !== undefined, 'an event has at least one segment');
  const { logicalId, operation, time, encoding } = first;
  const { streamGroup, lsn, sequence } = logicalId;
  return {
    streamGroup,
    lsn,
    sequence,
    operation,
    time,
    encoding,
    segments: ascending.map(({ index }) => index),
  };
}

function deadLetter({ code, message }: DataError): Outcome {
  return { kind: 'dead-letter', code, message, ...dataErrors[code] };
}
