/** Every limit of the app, with its unit. Limits that an operator may change are settings instead. */

/** Highest segment index accepted: a row of two images of 1,024 columns of 1 MB in segments of 32 KB stay below it. */
export const MAX_SEGMENT_INDEX = 99_999;

/**
 * Largest event that is put together, in bytes of its messages: ten columns of 1 MB in both images, written in JSON
 * within JSON, stay well below it. Joined and decoded it takes several times as much memory, and an instance that
 * runs out of it would stall all partitions.
 */
export const MAX_EVENT_BYTES = 128 * 1024 * 1024;

/** Segments of an event over that limit that are fetched at a time to be put aside: a message has up to 1 MB. */
export const OVERSIZE_SEGMENTS_AT_ONCE = 16;

/** Longest id that Cosmos DB accepts, in bytes (Azure Cosmos DB service quotas). */
export const MAX_ID_BYTES = 1_023;

/** Largest item written, in bytes of JSON: 2 MB is the service's limit, the rest is for its own properties. */
export const MAX_ITEM_BYTES = 2 * 1024 * 1024 - 4 * 1024;

/** Smallest limit that may be set for an item, in bytes of JSON: names, versions and references need room. */
export const MIN_ITEM_BYTES = 16 * 1024;

/** Items of rows that a process remembers as it has written them, in bytes of JSON; in memory they take some times that. */
export const REMEMBERED_ITEM_BYTES = 8 * 1024 * 1024;

/** Most operations of one bulk request (`Items.bulk` refuses more per partition key range). */
export const MAX_BULK_OPERATIONS = 100;

/** Most bytes of items in one bulk request; the service accepts 2 MB (one large item goes alone). */
export const MAX_BULK_BYTES = 1_500_000;

/** Bulk requests to Cosmos DB under way at once, per batch. */
export const COSMOS_CONCURRENCY = 4;

/** Blob requests under way at once, per batch. */
export const BLOB_CONCURRENCY = 16;

/** First and longest wait before a Cosmos DB operation is tried again, in milliseconds. */
export const RETRY_FIRST_MS = 50;
export const RETRY_LONGEST_MS = 5_000;

/** Rounds in which another writer came first before the next one waits: instances that collide must drift apart. */
export const OUTRUN_ROUNDS_AT_ONCE = 4;

/** Longest that a request to Cosmos DB may take, in milliseconds; the SDK would wait for a minute. */
export const COSMOS_REQUEST_TIMEOUT_MS = 15_000;

/** Longest wait that a throttled response may ask for and get, in milliseconds. */
export const RETRY_AFTER_LONGEST_MS = 30_000;

/** Times a Blob request is tried; the SDK repeats it at once, then waits the first delay, then longer each time. */
export const BLOB_TRIES = 6;
export const BLOB_RETRY_FIRST_MS = 500;
export const BLOB_RETRY_LONGEST_MS = 5_000;

/** Values of one row that are stored at once; {@link COSMOS_CONCURRENCY} rows are worked on. */
export const LARGE_VALUE_CONCURRENCY = 4;

/** Times a large value is stored again because a sweep has just removed it. */
export const LARGE_VALUE_TRIES = 3;

/**
 * Age from which a sweep removes a large value that no item refers to, in seconds. A batch stores values up to
 * BATCH_DEADLINE_SECONDS (at most 3,600) before the items, and trusts what is younger than half of this.
 */
export const LARGE_VALUE_AGE_SECONDS = 24 * 60 * 60;

/** Large values that are listed at a time; the service gives 5,000 at most. */
export const LARGE_VALUE_PAGE_BLOBS = 1_000;

/** Time that a sweep of large values may take, in seconds; {@link SWEEP_SECONDS} come before it. */
export const LARGE_VALUE_SWEEP_SECONDS = 60;

/** Split events whose completion an instance remembers, to recognise late copies of their segments. */
export const REMEMBERED_EVENTS = 20_000;

/** Most bytes of one metadata value of a dead letter; all metadata of a blob together may have 8 KiB. */
export const MAX_METADATA_VALUE_BYTES = 1_024;

/** Dead letters asked for in one page of a list; the service gives 5,000 at most. */
export const LETTERS_PER_PAGE = 1_000;

/** Incomplete events looked up in the parking container at once, per batch, and segments of each. */
export const PARKED_EVENT_CONCURRENCY = 4;
export const PARKED_SEGMENT_CONCURRENCY = 4;

/** Times a parked event is looked up again because another instance is just finishing it. */
export const PARKED_LOOKUPS = 3;

/** Blobs of the parking container that are listed at a time; the service gives 5,000 at most. */
export const PARKED_PAGE_BLOBS = 5_000;

/** Parked events that a sweep works on at once. */
export const SWEEP_CONCURRENCY = 8;

/** Time after which a sweep takes on no more events, and more time for those it has taken on, in seconds. */
export const SWEEP_SECONDS = 120;
export const SWEEP_GRACE_SECONDS = 60;

/** Dead letters of one batch that are logged one by one; the counts are always complete. */
export const LOGGED_DEAD_LETTERS = 20;

/** Time for which a warning about the same thing is not repeated, in minutes, and how many things are remembered. */
export const WARNING_QUIET_MINUTES = 15;
export const WATCHED_SUBJECTS = 1_000;

/** Changes of a table after which their order is judged, and the share of late ones that is worth a warning. */
export const OUT_OF_ORDER_WINDOW = 1_000;
export const OUT_OF_ORDER_SHARE = 0.05;

/** What the warnings remember per process: events, to tell copies; tables; databases, and stream groups of each. */
export const WATCHED_EVENTS = 20_000;
export const WATCHED_TABLES = 1_000;
export const WATCHED_DATABASES = 100;
export const WATCHED_STREAM_GROUPS = 20;

/** How much later a change with a lower LSN must be, in minutes: more than a clock is set back by in autumn. */
export const LSN_BACK_MINUTES = 65;

/** Tables whose rules are remembered per process. */
export const REMEMBERED_TABLES = 10_000;

/**
 * Most bits for the sequence numbers of a transaction: tables times highest number. An ended item can have them twice,
 * as base64: 1.7 of the 2 MB that an item may have.
 */
export const MAX_TRANSACTION_CELLS = 5_000_000;

/** Longest text that tells which numbers are missing; of more only the count is told. */
export const MAX_MISSING_CHARACTERS = 4_000;

/** Transactions that carry progress which a run of the watermark looks at, and streams that one carries in all. */
export const MAX_CARRYING_TRANSACTIONS = 100_000;
export const MAX_CARRIED_STREAMS = 1_000;

/** Streams remembered of one partition of the hub. */
export const MAX_PARTITION_STREAMS = 100;

/** Open transactions that are looked at for databases whose streams are not remembered any more. */
export const MAX_FORGOTTEN_TRANSACTIONS = 1_000;

/** Streams whose databases a process remembers, databases of each, and how often it asks for one that it does not know, in milliseconds. */
export const MAX_KNOWN_STREAMS = 1_000;
export const MAX_STREAM_DATABASES = 10;
export const LOOK_UP_EVERY_MS = 60_000;

/** Parked events that a run of the watermark can take into account; with more it does not move. */
export const MAX_PARKED_HOLDS = 50_000;

/** Dead letters of unknown databases that are remembered of one partition. */
export const MAX_STRAYS = 1_000;

/** Silence in all partitions after which a stream is not waited for any more, in milliseconds. */
export const STREAM_QUIET_MS = 24 * 60 * 60 * 1000;

/** Life of the mark that a batch fails, in milliseconds; a batch comes again well within it, and renews it. */
export const FAILING_MARK_MS = 10 * 60 * 1000;

/**
 * Time without a run of the watermark that goes well after which an outage is taken to have been, in milliseconds. They
 * come every 30 seconds, and take up to a minute.
 */
export const MISSED_RUNS_MS = 100_000;

/** Time for writing that mark, in seconds: the batch has used up its own. */
export const FAILING_MARK_SECONDS = 5;

/** Ended transactions above the watermark, and transactions with dead letters, that are remembered one by one. */
export const MAX_REMEMBERED_ENDS = 1_000;
export const MAX_WATERMARK_EXCEPTIONS = 1_000;

/** Open transactions of a database that one run of the watermark looks at: the oldest. */
export const MAX_OPEN_TRANSACTIONS = 5_000;

/** Time in which a run takes on more of them than that, for all databases together, in milliseconds. */
export const CATCH_UP_MS = 25_000;

/** Ended transactions whose rows are given their places, at a time: the oldest. An item may have 2 MB. */
export const MAX_UNNUMBERED_TRANSACTIONS = 250;

/** Numbers of changes whose rows one query looks for, and transactions that they may be of. */
export const NUMBERED_CHANGES = 2_000;
export const NUMBERED_TRANSACTIONS = 50;

/** Rows in one page of such a query. */
export const NUMBERED_PAGE_ROWS = 500;

/** Rounds without any success after which rows are left to the next run, so that others have their turn in this one. */
export const NUMBERING_TRIES = 3;

/** Time in which a run takes on more of this, in milliseconds, and in which it must have ended, in seconds. */
export const NUMBERING_MS = 15_000;
export const NUMBERING_SECONDS = 20;

/**
 * Messages of boundaries that one run hands out, two for each transaction at most, and fewest after runs that failed:
 * a hub of one throughput unit takes 1,000 a second, changes included, and a run that it cannot take comes again whole.
 */
export const MAX_BOUNDARY_MESSAGES = 40_000;
export const LEAST_BOUNDARY_MESSAGES = 500;

/** The same in bytes: host and worker exchange them in one gRPC message (older hosts: 128 MB) and hold several copies. */
export const MAX_BOUNDARY_RUN_BYTES = 16 * 1024 * 1024;

/** Transactions with boundaries to send that are looked at a time, of one database. */
export const BOUNDARY_PAGE = 1_000;

/** Time in which a run takes on more of them, in milliseconds; {@link CATCH_UP_MS} come before it. */
export const BOUNDARY_MS = 20_000;

/** Largest message of a boundary, in bytes; Event Hubs takes 256 KB in Basic, with what it adds itself, else 1 MB. */
export const MAX_BOUNDARY_BYTES = 240_000;

/** Repetitions of a run of the watermark that failed, where it sends boundaries, and the wait before each, in seconds. */
export const BOUNDARY_RETRIES = 2;
export const BOUNDARY_RETRY_SECONDS = 1;

/** How far a read may lag behind another client's write under session consistency, with a margin, in milliseconds. */
export const READ_LAG_MS = 2_000;

/** Time a run of the watermark may take, in seconds; the next one comes by itself. */
export const WATERMARK_SECONDS = 60;

/** Operations of one bulk request on items of tracking. */
export const MAX_PROGRESS_OPERATIONS = 50;

/** Partitions of a hub: more than the largest hub of any tier has. */
export const MAX_HUB_PARTITIONS = 2_048;
