import type { DataError } from '../errors/dataError.ts';
import type { KeyColumn } from '../model/change.ts';
import type { Message } from '../model/message.ts';
import type { Table } from '../model/table.ts';

/** A message put aside because it can never succeed as it is. */
export interface DeadLetter {
  readonly message: Message;
  readonly error: DataError;
  /** Where the message told them before it failed. */
  readonly table?: Table;
  readonly key?: readonly KeyColumn[];
}

export interface DeadLetters {
  /** Keeps the message durably. The same message put aside again for the same reason changes nothing. */
  put(letter: DeadLetter, signal: AbortSignal): Promise<void>;
}
