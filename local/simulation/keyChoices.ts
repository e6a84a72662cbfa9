import type { OracleTable } from './oracle.ts';

/** A document for REPLICA_CONFIG that names the keys of the tables: messages of Debezium carry none. */
export function keyChoices(
  tables: readonly Pick<OracleTable, 'db' | 'schema' | 'name' | 'keyColumns'>[],
): string {
  const entries = tables.map(({ db, schema, name, keyColumns }) => [
    [db, schema, name].map(bracketed).join('.'),
    { key: keyColumns },
  ]);
  return JSON.stringify({ tables: Object.fromEntries(entries) });
}

/** A name may hold dots and stars. */
function bracketed(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}
