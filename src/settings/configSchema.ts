import { z } from 'zod';
import { binaryModes } from '../debezium/debeziumOptions.ts';
import { MAX_ITEM_BYTES, MIN_ITEM_BYTES } from '../limits.ts';
import { foldName } from '../model/name.ts';
import { MAX_EPOCH } from '../model/version.ts';
import { TablePattern } from './tablePattern.ts';
import { jsonType, typeChoices } from './typeChoices.ts';

const columnName = z
  .string()
  .min(1)
  .meta({ description: "The source's name of a column; case does not count." });

const mask = z
  .union(
    [
      z.literal('hash'),
      z.strictObject({
        fixed: z.string().max(100).meta({ description: 'Shown instead of every value.' }),
      }),
      z.strictObject({
        last: z
          .int()
          .min(1)
          .max(20)
          .meta({ description: 'Characters shown; a value not longer shows none.' }),
      }),
    ],
    'is not "hash", {"fixed": "<text>"} or {"last": <1 to 20>}',
  )
  .meta({
    description:
      'hash: HMAC-SHA256 of the text with the setting MASK_SALT. fixed: always this text. last: four asterisks and so many of the last characters.',
  });

const columns = z.strictObject({
  include: z.array(columnName).optional().meta({ description: 'Only these columns, and those of the key.' }),
  exclude: z
    .array(columnName)
    .optional()
    .meta({ description: 'None of these columns; the key cannot be left out.' }),
  rename: z
    .record(columnName, z.string().min(1))
    .refine(hasDistinctValues, 'gives two columns the same name')
    .optional()
    .meta({ description: 'Names in the replica by names in the source.' }),
  mask: z
    .record(columnName, mask)
    .optional()
    .meta({ description: 'Columns whose values must not reach the replica in the clear. NULL stays null.' }),
  types: z.record(columnName, jsonType).optional().meta({ description: 'JSON types by column.' }),
});

function hasDistinctValues(names: Readonly<Record<string, string>>): boolean {
  const values = Object.values(names);
  return new Set(values).size === values.length;
}

const tableChoices = z.strictObject({
  include: z
    .boolean('has to be true or false; columns to include stand under "columns"')
    .optional()
    .meta({ description: 'false: changes of the table are left out. Default true.' }),
  container: z
    .string()
    .regex(/^[^/\\?#]{1,255}$/, 'is not the name of a container')
    .optional()
    .meta({ description: 'Cosmos DB container of the rows; that of COSMOS_CONTAINER by default.' }),
  key: z
    .array(columnName)
    .min(1)
    .refine((names) => new Set(names).size === names.length, 'names a column twice')
    .optional()
    .meta({ description: 'Columns that identify a row, in order, for a table without a primary key.' }),
  normalize: z
    .record(columnName, z.array(z.enum(['ci', 'rtrim', 'guid'])).min(1))
    .optional()
    .meta({
      description:
        'Key columns whose values SQL Server takes for equal although they differ as text. ci: case does not count, letter by letter (accents do, and ß is not SS). rtrim: spaces at the end do not count. guid: case and braces of GUIDs do not count.',
    }),
  updates: z.enum(['merge', 'replace']).optional().meta({
    description:
      'merge (default): an update sets the columns it carries. replace: it is the whole row, so dropped columns disappear; only where include_all_columns = 1.',
  }),
  deletes: z.enum(['tombstone', 'soft', 'ignore']).optional().meta({
    description:
      'tombstone (default): the row goes and its delete is remembered for TOMBSTONE_DAYS. soft: the row stays, marked as deleted. ignore: nothing happens.',
  }),
  columns: columns.optional().meta({ description: "What becomes of columns, by the source's names." }),
  types: typeChoices.optional().meta({ description: 'JSON types by SQL type.' }),
  largeValues: z.enum(['blob', 'dead-letter']).optional().meta({
    description:
      'What happens to a row that does not fit into an item. blob (default): its largest values go to Blob storage. dead-letter: the change is put aside.',
  }),
  itemBytes: z
    .int()
    .min(MIN_ITEM_BYTES)
    .max(MAX_ITEM_BYTES)
    .optional()
    .meta({ description: 'Largest item in bytes of JSON; by default what Cosmos DB accepts.' }),
});

export const tableSchema = tableChoices.refine(
  ({ key = [], columns = {} }) => {
    const excluded = new Set(columns.exclude?.map(foldName));
    return !key.some((column) => excluded.has(foldName(column)));
  },
  { path: ['columns', 'exclude'], error: 'has columns of the key, which can be masked but not left out' },
);

const database = z.strictObject({
  name: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'Name in the replica: that from before the database was renamed.' }),
  epoch: z.int().min(0).max(MAX_EPOCH).optional().meta({
    description: 'Instead of REPLICA_EPOCH, when this database alone was restored to an earlier state.',
  }),
});

const debezium = z
  .strictObject({
    binary: z.enum(binaryModes).optional().meta({
      description:
        "The connector's binary.handling.mode, where it is not bytes (default): the texts of the other modes look alike.",
    }),
    unavailableValue: z.string().min(1).max(100).optional().meta({
      description:
        "The connector's unavailable.value.placeholder, where it is not the default: a column with this value was not sent.",
    }),
  })
  .meta({ description: 'Of messages that come from Debezium.' });

const tableName = z
  .string()
  .regex(
    TablePattern.form,
    'is not database.schema.table; a part with dots goes into brackets, as in db1.dbo.[a.b]',
  );

export const configSchema = z
  .strictObject({
    $schema: z.string().optional().meta({
      description: 'Where an editor finds this schema; the app does not read it.',
    }),
    types: typeChoices.optional().meta({ description: 'JSON types by SQL type, for all tables.' }),
    databases: z
      .record(z.string().min(1), database)
      .optional()
      .meta({ description: 'By the name that the messages give the database now.' }),
    debezium: debezium.optional(),
    tables: z.record(tableName, tableSchema).optional().meta({
      description:
        'By database.schema.table as the replica names them; * stands for any text, and case does not count. For each option the exact name comes first, then the patterns in their order; exclude adds up, and rename, mask, types and normalize are looked up column by column.',
    }),
  })
  .meta({
    title: 'REPLICA_CONFIG',
    description: 'Per-table choices of the CES replica. Without it every table has the defaults.',
  });

/** Per-table choices, the document in the setting `REPLICA_CONFIG`. Without it every table has the defaults. */
export type ReplicaConfig = z.infer<typeof configSchema>;
export type DatabaseConfig = z.infer<typeof database>;
export type TableConfig = z.infer<typeof tableSchema>;
export type MaskConfig = z.infer<typeof mask>;
