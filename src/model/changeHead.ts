import type { Change, Image } from './change.ts';

/** What the first segments of an event tell of its change before the others are there. */
export interface ChangeHead extends Pick<Change, 'position' | 'operation' | 'table' | 'columns' | 'key'> {
  /**
   * The row before: null when nothing was sent, undefined when that is not known yet. Columns may be missing
   * because they are still to come.
   */
  readonly old: Image | null | undefined;
}
