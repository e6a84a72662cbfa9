/** Letters that `list` shows unless told, and at most. */
export const DEFAULT_LISTED = 100;
export const MAX_LISTED = 10_000;

/** Most letters that one command replays or discards: their names are held in memory. */
export const MAX_SELECTED = 100_000;

/** Most letters put through the pipeline together, and most bytes of them; the segments of an event stay together. */
export const BATCH_LETTERS = 100;
export const BATCH_BYTES = 8 * 1024 * 1024;

/** Batches that may fail one after the other before a replay gives up: what fails is not the letters then. */
export const FAILED_BATCHES = 3;

/**
 * How long before the end of the life of tombstones a message counts as old, in seconds: for the time a replay
 * takes, and for clocks that differ.
 */
export const AGE_MARGIN_S = 60 * 60;

/** Most messages that one command explains, and most bytes of them: all are in memory. */
export const MAX_EXPLAINED = 1_000;
export const MAX_EXPLAINED_BYTES = 64 * 1024 * 1024;

/** Characters of a value that an explanation in text shows; JSON has all of it. */
export const SHOWN_CHARACTERS = 200;

/** Letters named one by one in the text of a report; JSON has them all. */
export const NAMED_LETTERS = 20;
