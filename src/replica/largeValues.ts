import type { DocumentId } from './documentId.ts';

/** A text that does not fit into its item. */
export interface LargeValue {
  /** Of the blob: the same for the same text, row and version, and for nothing else. */
  readonly name: string;
  /** The row that refers to it. */
  readonly id: DocumentId;
  readonly text: string;
}

/**
 * Where texts lie that do not fit into their items. Ages are told by the clock of the storage alone, in seconds
 * since the blob was last written.
 */
export interface LargeValues {
  /** Stores a value durably unless there is one under its name. @returns whether it did. */
  create(value: LargeValue, signal: AbortSignal): Promise<boolean>;
  /** Undefined when nothing is there. */
  age(name: string, signal: AbortSignal): Promise<number | undefined>;
  /** Stores a value durably, whatever is there; it is as good as new then. */
  renew(value: LargeValue, signal: AbortSignal): Promise<void>;
  /** What lies under a prefix, in the order of names, a page of it at a time. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<readonly FoundValue[]>;
  /** Removes a value unless it was written since it was found. @returns whether it did. */
  remove(found: FoundValue, signal: AbortSignal): Promise<boolean>;
}

export interface FoundValue extends Omit<LargeValue, 'text'> {
  readonly ageSeconds: number;
  /** Another one after each write. */
  readonly etag: string;
}
