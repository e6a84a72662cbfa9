import type { Message } from '../model/message.ts';
import type { ReplicaSettings } from '../settings/replicaSettings.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { markFailing } from './markFailing.ts';

export interface SlowBatch {
  /** No mark is written any more, nor under way. */
  end(): Promise<void>;
}

/**
 * Marks a batch that is at work for long as one that fails, until it is recorded: its partition would seem silent,
 * and transactions end that it holds changes of. A batch that is quick costs nothing.
 */
export function markSlowBatch(
  messages: readonly Message[],
  tracking: Tracking,
  settings: ReplicaSettings,
): SlowBatch {
  let marking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    marking = marking.then(() => markFailing(messages, tracking, settings));
  }, tracking.options.idleMs / 2);
  return {
    end: async () => {
      clearInterval(timer);
      await marking;
    },
  };
}
