import type { SimulationOptions } from '../simulation/options.ts';
import { type Simulation, simulate } from '../simulation/simulate.ts';
import { UserError } from './userError.ts';

/** Simulates the source. @throws UserError, in the words of the command line, for options that make no sense. */
export function simulatedSource(options: SimulationOptions): Simulation {
  try {
    return simulate(options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(inFlags(error.message), { cause: error });
  }
}

/** What the simulator calls its options, longest first where one begins with another. */
const flagOfOption: readonly (readonly [RegExp, string])[] = [
  [/changedColumnsOnly false/, 'to go without --changed-columns-only'],
  [/oldValues true/, 'to go without --no-old-values'],
  [/^changes\b/, '--simulate'],
  [/^segmentBytes\b/, '--segment-bytes'],
  [/^largeValueBytes\b/, '--large-value-bytes'],
  [/^batchSize\b/, '--batch-size'],
  [/^keyChanges\b/, '--key-changes'],
  [/^(seed|partitions|duplicates|reorder)\b/, '--$1'],
];

function inFlags(message: string): string {
  return flagOfOption.reduce((text, [name, flag]) => text.replace(name, flag), message);
}
