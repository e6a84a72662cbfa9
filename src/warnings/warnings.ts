/**
 * What a user should know although nothing is lost. `meaning` says what was noticed, `action` what to do about it.
 */
export const warnings = {
  'out-of-order': {
    meaning:
      'Many changes of a table arrive after newer changes of the same row. The replica is right all the same.',
    action:
      "Set the stream group's partition_key_scheme to Table, or to Column with the key: changes of a row then arrive together, which costs fewer reads and writes.",
  },
  'new-stream-group': {
    meaning: 'A database publishes under a stream group that this process has not seen of it before.',
    action:
      'Nothing, if tables were added to another stream group or CES was set up anew on the same database. If the database was restored to an earlier state, raise REPLICA_EPOCH.',
  },
  'lsn-went-back': {
    meaning: 'A change was committed later than another one of its database, but its LSN is lower.',
    action:
      'The database was restored to an earlier state, and its new changes lose against older ones: raise REPLICA_EPOCH by one, then replay the hub from the time of the restore.',
  },
  'value-at-cut': {
    meaning:
      'A value is exactly as long as CES sends at most (1 MB); the rest of it was most likely cut off.',
    action: 'Read such values from the source, or leave the column out of the stream.',
  },
  'no-key': {
    meaning: 'Changes of a table have no primary key values and are dead-lettered.',
    action: 'Give the table a primary key, name its key in REPLICA_CONFIG, or leave it out there.',
  },
  'unparsed-values': {
    meaning:
      "Values are not of their column's declared type, or not exactly of the one in REPLICA_CONFIG; they are kept as the text that was sent.",
    action: 'Look at the column in the replica; readers of it have to cope with text.',
  },
  'unknown-columns': {
    meaning:
      'A row moved to another key, and the event did not carry all of its columns: the others are missing.',
    action: 'Add the table to its stream group with @include_old_values = 1 or @include_all_columns = 1.',
  },
  'more-partitions': {
    meaning:
      'Messages come from more partitions of the hub than HUB_PARTITIONS tells, and those that are still empty are not waited for.',
    action: 'Set HUB_PARTITIONS to the number of partitions of the hub.',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly action: string }>;

export type WarningCode = keyof typeof warnings;

export interface Warning {
  readonly code: WarningCode;
  /** The database, table or column it is about. */
  readonly subject: string;
  /** Counts and positions, never values. */
  readonly detail: string;
}
