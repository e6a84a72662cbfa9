import type { DeadLetterArchive } from '../../src/deadletter/deadLetterArchive.ts';
import { MAX_SELECTED } from './limits.ts';
import type { Selection } from './request.ts';

export interface Selected {
  readonly names: readonly string[];
  /** The operator named them one by one: then each should be there. */
  readonly named: boolean;
  /** There are more than one command takes on. */
  readonly more: boolean;
}

/**
 * The names of the letters that are meant, as of now: what is put aside while a command runs is not part of it.
 * @throws OutageError
 */
export async function selectNames(
  selection: Selection,
  archive: DeadLetterArchive,
  signal: AbortSignal,
  most = MAX_SELECTED,
): Promise<Selected> {
  if (selection.kind === 'names') {
    const { names } = selection;
    return { names: names.slice(0, most), named: true, more: names.length > most };
  }
  const names: string[] = [];
  for await (const page of archive.list(selection.filter, signal)) {
    for (const { name } of page) {
      if (names.length === most) return { names, named: false, more: true };
      names.push(name);
    }
  }
  return { names, named: false, more: false };
}
