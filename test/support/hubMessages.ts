import type { Message } from '../../src/model/message.ts';

/** Messages as the trigger delivers them: each call makes new ones, numbered from `first`. */
export function hubMessages(bodies: readonly Buffer[], first = 0, partition = '0'): Message[] {
  return bodies.map((body, position) => ({
    body,
    source: {
      hub: 'changes',
      partition,
      sequenceNumber: String(first + position),
      offset: String((first + position) * 1000),
      enqueuedTime: '2026-08-07T16:25:01.000Z',
    },
  }));
}
