import type { SimulationOptions } from './options.ts';
import type { Random } from './random.ts';

/** How one event is written. */
export interface Form {
  readonly encoding: 'json' | 'avro';
  readonly generation: 'split' | 'segment' | 'segment-final';
}

const ENCODINGS = ['json', 'avro'] as const;
const GENERATIONS = ['split', 'segment', 'segment-final'] as const;

export function chooseForm(options: SimulationOptions, random: Random): Form {
  const encoding = options.encoding === 'mixed' ? random.pick(ENCODINGS) : options.encoding;
  const generation = options.generation === 'mixed' ? random.pick(GENERATIONS) : options.generation;
  // The Avro schema of the envelope has no split fields.
  return { encoding, generation: encoding === 'avro' && generation === 'split' ? 'segment' : generation };
}

/** Index of the first segment of an event. */
export function firstIndexOf(form: Form, options: SimulationOptions): number {
  return form.generation === 'split' ? 0 : options.firstIndex;
}
