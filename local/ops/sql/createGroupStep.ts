import { dialects } from './dialect.ts';
import { block, guardedStep, throwIf } from './guard.ts';
import { KAFKA_PORT } from './limits.ts';
import type { Partitioning, SetUpPlan } from './plan.ts';
import { literal } from './quote.ts';
import { declareRead, readAgain, readGroup, throwUnlessEnabled } from './readFeed.ts';
import type { Step } from './step.ts';

/** Why, in the script: the choice cannot be changed later without a new group. */
const reasons: Readonly<Record<Partitioning['scheme'], readonly string[]>> = {
  None: [
    'None: round robin. The replica is right with it, too, but changes of a row come in any order and to several',
    'instances: more reads, more writes, and segments of large rows that wait for each other in Blob storage.',
  ],
  StreamGroup: [
    'StreamGroup: all tables in one partition, which one instance of the app reads. For little traffic.',
  ],
  Table: [
    'Table: changes of a row, and the segments of a large one, come together and in order, so that a row changed often',
    'costs one write in a batch and nothing is parked. A table then has the throughput of one partition: where that is',
    'too little, put it into a group of its own with None, or Column.',
  ],
  Column: [
    'Column: as Table for every row, if the value is its key, and one table can use all partitions. The documentation',
    "asks for a two-part name of 'the schema name and column name' and shows dbo.Addresses, which is a table: what is",
    'put here is yours, unchecked. One column counts for the whole group.',
  ],
};

/**
 * Creates the stream group. Parameters as in the reference of `sys.sp_create_event_stream_group` (2026-08-15). Over
 * Kafka the location has a port. The destination of a group cannot be changed.
 */
export function createGroupStep(plan: SetUpPlan): Step {
  const { group, namespace, hub, credential, partitioning, encoding, messageKb } = plan;
  const location = `${namespace}:${KAFKA_PORT}/${hub}`;
  const parameters = [
    ['stream_group_name', literal(group)],
    ['destination_type', literal(dialects[plan.dialect].destinationType)],
    ['destination_location', literal(location)],
    ['destination_credential', literal(credential)],
    ['max_message_size_kb', String(messageKb)],
    ['partition_key_scheme', literal(partitioning.scheme)],
    ...(partitioning.scheme === 'Column'
      ? [['partition_key_column_name', literal(partitioning.column)]]
      : []),
    ['encoding', literal(encoding)],
  ].map(([name, value]) => `    @${name} = ${value}`);
  return guardedStep(plan.database, `Create the stream group ${group}`, [
    throwUnlessEnabled(),
    declareRead,
    ...readGroup(group),
    throwIf(
      `@location <> ${literal(location)}`,
      `the group ${group} exists and sends somewhere else; drop it (--disable), or choose a name with --group`,
    ),
    ...reasons[partitioning.scheme].map((line) => `-- ${line}`),
    ...block(`IF @location IS NULL`, [
      `DECLARE @failed int;`,
      `EXEC @failed = sys.sp_create_event_stream_group\n${parameters.join(',\n')};`,
      throwIf(`@failed <> 0`, `the group ${group} could not be created; see the error above`),
      readAgain('@location'),
    ]),
    throwIf(`@location IS NULL`, `the group ${group} was not created`),
  ]);
}
