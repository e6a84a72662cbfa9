const MIB = 1024 * 1024;

/** Messages in one batch: the default of the Event Hubs trigger (`maxEventBatchSize`). */
export const MAX_BATCH_MESSAGES = 100;

/** Bytes of a message file: the largest message any Event Hubs tier takes (Dedicated; the others take 1 MB). */
export const MAX_MESSAGE_BYTES = 20 * MIB;

/** Bytes of one line of a recording: a largest message written as text with every character escaped, and its fields. */
export const MAX_LINE_BYTES = 2 * MAX_MESSAGE_BYTES + MIB;

/** Bytes of a Capture file or a recording. Capture starts a new file at 500 MB at the latest. Both are streamed. */
export const MAX_STREAMED_FILE_BYTES = 512 * MIB;

/** Bytes of one inflated block of a Capture file, the part of it that is in memory at once. */
export const MAX_CAPTURE_BLOCK_BYTES = 128 * MIB;

/** Files and folders looked at below a folder. */
export const MAX_FOLDER_ENTRIES = 100_000;

/** Folders in folders. The layout of Capture needs 9. */
export const MAX_FOLDER_DEPTH = 32;

/** A number of bytes for an error message: `512 MiB`. */
export function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MIB)} MiB`;
}
