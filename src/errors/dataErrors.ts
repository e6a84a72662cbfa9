/**
 * Reason codes of dead letters: messages that can never succeed as they are.
 * `meaning` says what was found, `action` what the operator can do.
 */
export const dataErrors = {
  'empty-message': {
    meaning: 'The message has no body.',
    action:
      'Find the sender: CES never publishes empty messages, and those of Debezium have a key and are left out. Discard the dead letter.',
  },
  'unknown-format': {
    meaning: 'The body is neither a CloudEvent of CES, as JSON or Avro, nor JSON of Debezium.',
    action: 'Find out what else is sent to this event hub, and give it a hub of its own.',
  },
  'invalid-json': {
    meaning: 'A level of the message that should be JSON is not.',
    action: 'Look at the original bytes; if the sender is SQL Server, report it and replay after a fix.',
  },
  'invalid-avro': {
    meaning: 'The bytes do not follow the CES Avro schemas.',
    action:
      'If EF BF BD was found, something decoded the bytes as text on the way; else look for a new schema.',
  },
  'invalid-utf8': {
    meaning: 'Text in the message is not valid UTF-8.',
    action: 'Look for something that converts messages between SQL Server and the hub.',
  },
  'missing-attribute': {
    meaning: 'An attribute or property that every message of CES or Debezium has is missing.',
    action:
      'Look for another sender, or for something that rewrites messages, such as ExtractNewRecordState of Debezium.',
  },
  'wrong-type': {
    meaning: 'An attribute or property has another JSON type than CES or Debezium gives it.',
    action: 'Look for another sender, or for something that rewrites messages.',
  },
  'unknown-type': {
    meaning:
      "The CloudEvents `type` is not the one of CES row changes, or the connector is not Debezium's for SQL Server.",
    action: 'Give other events a hub of their own; for a newer CES version, update this app and replay.',
  },
  'unknown-operation': {
    meaning: 'The operation is none of INS, UPD and DEL, or of those of Debezium.',
    action: 'Update this app if there is a new operation, then replay.',
  },
  'invalid-logical-id': {
    meaning:
      'The `logicalid` is not a stream group GUID, a commit LSN and a sequence number; of Debezium, a position is not an LSN.',
    action: 'Without it the change has no version. Update this app if CES changed its form, then replay.',
  },
  'invalid-segment': {
    meaning: 'The segment numbers of the message contradict themselves or are out of range.',
    action: 'Look at the original bytes; the other segments of the event stay parked.',
  },
  'segment-conflict': {
    meaning: 'Two segments of one event claim the same place with different content, or two ends.',
    action: 'Compare them with the source row; touch the row at the source to have it sent again.',
  },
  'segments-missing': {
    meaning: 'Segments of the event did not come within PARKED_HOURS.',
    action: 'Touch the row at the source to have it sent again; if the others turn up, replay all together.',
  },
  'event-too-large': {
    meaning: 'The segments of the event together are larger than the app can put together (128 MB).',
    action: 'Leave large columns of the table out of the stream, then touch the row at the source.',
  },
  'invalid-data': {
    meaning: 'The joined data of an event is not a row change.',
    action: 'Look at the original bytes; touch the row at the source to have it sent again.',
  },
  'order-conflict': {
    meaning: 'The `transaction` block names another position in the log than `logicalid`.',
    action: 'The change cannot be ordered safely. Touch the row at the source to have it sent again.',
  },
  'no-key': {
    meaning: 'The change has no primary key values, so no item can be addressed.',
    action:
      'Give the table a primary key, name its key in REPLICA_CONFIG, or leave it out there; then replay.',
  },
  'key-excluded': {
    meaning: 'REPLICA_CONFIG excludes a column that is part of the key.',
    action: 'Mask the column instead (`mask`: a masked key stands in the id as a hash), then replay.',
  },
  'column-conflict': {
    meaning: 'REPLICA_CONFIG renames a column to a name that another column of the table has.',
    action: 'Rename it to something else, or rename or exclude the other one; then replay.',
  },
  'no-row': {
    meaning: 'An insert or update carries no column values.',
    action: 'Look at the original bytes; touch the row at the source to have it sent again.',
  },
  'item-too-large': {
    meaning:
      'The replica item is larger than Cosmos DB accepts (2 MB), with all that can go to Blob storage there.',
    action:
      'If REPLICA_CONFIG has `largeValues: dead-letter` or a small `itemBytes`, change that; else leave columns out.',
  },
  'foreign-item': {
    meaning: 'An item with this id exists and was not written by this app.',
    action: 'Use a container of its own for the replica, or remove the item, then replay.',
  },
  'refused-by-cosmos': {
    meaning: 'Cosmos DB refuses the item for good (400 or 413).',
    action: 'See the status in the message; correct the container or the table, then replay.',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly action: string }>;

export type ReasonCode = keyof typeof dataErrors;
