/** A source table. The names are as CES sends them: case is kept, nothing is quoted. */
export interface Table {
  readonly db: string;
  readonly schema: string;
  readonly name: string;
}

/** For messages, logs and configuration: `db.schema.name`. Not unique when a name contains a dot. */
export function tableText(table: Table): string {
  return `${table.db}.${table.schema}.${table.name}`;
}
