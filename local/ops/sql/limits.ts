/** Longest name of a database object, in UTF-16 code units: the type `sysname`. */
export const MAX_NAME = 128;

/** Sizes that `@max_message_size_kb` takes, in KB (sys.sp_create_event_stream_group). */
export const LEAST_MESSAGE_KB = 128;
export const DEFAULT_MESSAGE_KB = 256;
export const MOST_MESSAGE_KB = 1024;

/** Rows that a seed changes in one statement; SQL Server locks the whole table from about 5,000 locks on. */
export const DEFAULT_SEED_ROWS = 1000;
export const MOST_SEED_ROWS = 4000;

/** Pause after each statement of a seed, in seconds: 1,000 events a second are what one throughput unit takes. */
export const SEED_PAUSE_S = 1;

/** Largest number of a seed: it goes into an `int`. */
export const MOST_SEED_NUMBER = 2_147_483_647;

/** Most columns that a helper procedure of CES is taken to return; 22 are the most seen. */
export const MOST_HELPER_COLUMNS = 40;

/** First error number that a script may throw is 50,000. */
export const ERROR_NUMBER = 51_000;

/** Port of the Kafka endpoint of an Event Hubs namespace. */
export const KAFKA_PORT = 9093;
