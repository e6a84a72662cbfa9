import { setTimeout as sleep } from 'node:timers/promises';
import { OutageError } from './errors/outageError.ts';

/**
 * Time that a batch may take. It ends well before the host's own `functionTimeout`, since a function that runs
 * into that takes the whole worker process with it.
 */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #seconds: number;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(seconds: number) {
    this.#seconds = seconds;
    this.signal = this.#controller.signal;
    // Not `AbortSignal.any` of a timeout: what it depends on is collected as garbage, and then it never aborts.
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException('The time is over', 'TimeoutError'));
    }, seconds * 1000);
    // A process that has nothing else to do does not wait for it.
    this.#timer.unref();
  }

  /** The batch has ended, well or not: what it left under way is given up, and no longer races with the next attempt. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  /** @throws OutageError when the time is over. `waitingFor` says what was not done by then. */
  check(waitingFor: string): void {
    if (this.signal.aborted) {
      throw new OutageError(`${waitingFor} was not done within ${this.#seconds} s; the batch comes again`);
    }
  }

  /** Waits; cut short when the time is over. */
  async sleep(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
  }
}

/** What `work` comes to; undefined when it has not ended by the time of the signal. It is not waited for any more. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const abort = (): void => resolve(undefined);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
