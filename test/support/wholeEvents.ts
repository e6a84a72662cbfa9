import { readMessage } from '../../src/ces/readMessage.ts';
import type { WholeEvent } from '../../src/steps/received.ts';
import { hubMessages } from './hubMessages.ts';
import { jsonMessage } from './jsonMessage.ts';
import { changeOf } from './readBody.ts';
import type { TestEvent } from './testEvent.ts';

/** Events as they come out of the assembling step, one message each. */
export function wholeEvents(events: readonly TestEvent[]): WholeEvent[] {
  return hubMessages(events.map((event) => jsonMessage(event))).map((message) => ({
    change: changeOf(message.body),
    segments: [{ segment: readMessage(message.body), message }],
    parked: false,
  }));
}
