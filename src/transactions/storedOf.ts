import { OutageError } from '../errors/outageError.ts';
import type { ProgressOutcome } from './progressStore.ts';

/** @throws OutageError when the item could not be read. */
export function storedOf<Item>(
  outcome: ProgressOutcome | undefined,
  parse: (stored: unknown) => Item,
  what: string,
): Item {
  if (outcome?.kind === 'ok') return parse(outcome.stored);
  if (outcome?.kind === 'missing') return parse(undefined);
  const reason = outcome?.kind === 'unknown' ? outcome.reason : (outcome?.kind ?? 'no answer');
  throw new OutageError(`Cosmos DB: ${what} could not be read (${reason}); it is tried again`);
}
