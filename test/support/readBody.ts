import { type Assembly, assembleEvent } from '../../src/ces/assembleEvent.ts';
import { readMessage } from '../../src/ces/readMessage.ts';
import type { Change } from '../../src/model/change.ts';

/** Reads and assembles the messages of one event. */
export function assemble(bodies: readonly Buffer[]): Assembly {
  return assembleEvent(bodies.map((body) => readMessage(body)));
}

/** The change of one event. @throws the DataError of a broken event; RangeError when segments are missing */
export function changeOf(...bodies: readonly Buffer[]): Change {
  const assembly = assemble(bodies);
  if (assembly.state === 'broken') throw assembly.error;
  if (assembly.state === 'incomplete') throw new RangeError('segments are missing');
  return assembly.change;
}
