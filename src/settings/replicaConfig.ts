import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigurationError } from '../errors/configurationError.ts';
import { type Table, tableText } from '../model/table.ts';

const tableSchema = z.strictObject({
  /**
   * merge: an update sets the columns it carries; right with every CES option.
   * replace: an update is the whole row, so dropped columns disappear; only where `include_all_columns = 1`.
   */
  updates: z.enum(['merge', 'replace']).optional(),
});

export const configSchema = z.strictObject({
  /** By `database.schema.table`. */
  tables: z.record(z.string(), tableSchema).optional(),
});

/** Per-table choices, the document in the setting `REPLICA_CONFIG`. Without it every table has the defaults. */
export type ReplicaConfig = z.infer<typeof configSchema>;
export type TableConfig = z.infer<typeof tableSchema>;

/**
 * Reads the setting `REPLICA_CONFIG`.
 * @param setting the JSON document itself, or the path of a file with it.
 * @throws ConfigurationError with the path of the offending value.
 */
export function readReplicaConfig(setting: string): ReplicaConfig {
  const inline = setting.trimStart().startsWith('{');
  const parsed = configSchema.safeParse(parseJson(inline ? setting : readFile(setting)));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `${['$', ...path].join('.')}: ${message}`);
  throw new ConfigurationError(`REPLICA_CONFIG is not valid: ${issues.join('; ')}`);
}

export function tableConfig(config: ReplicaConfig, table: Table): TableConfig | undefined {
  const name = tableText(table);
  const tables = config.tables;
  return tables !== undefined && Object.hasOwn(tables, name) ? tables[name] : undefined;
}

function readFile(path: string): string {
  try {
    // Editors on Windows put a byte order mark in front, which JSON.parse refuses.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigurationError(
      `REPLICA_CONFIG names a file that cannot be read (${code}): put a JSON document there or the path of a file`,
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError('REPLICA_CONFIG is not JSON: put a document like {"tables":{}} there');
  }
}
