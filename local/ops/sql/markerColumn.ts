import { literal } from './quote.ts';
import type { TableName } from './tableName.ts';

/** Extended property that says that a column was added for a seed, and is nobody else's. */
const PROPERTY = 'ces-replica seed';

/** Whether the column is there and was added for a seed. */
export function isMarker(column: string): string {
  return `EXISTS (SELECT * FROM sys.columns AS c
    JOIN sys.extended_properties AS p ON p.class = 1 AND p.major_id = c.object_id AND p.minor_id = c.column_id
    WHERE c.object_id = @table AND c.name = ${literal(column)} AND p.name = ${literal(PROPERTY)})`;
}

/** Statement that marks the column as added for a seed. */
export function markColumn({ schema, table }: TableName, column: string): string {
  return `EXEC sys.sp_addextendedproperty @name = ${literal(PROPERTY)},
    @level0type = N'SCHEMA', @level0name = ${literal(schema)},
    @level1type = N'TABLE', @level1name = ${literal(table)},
    @level2type = N'COLUMN', @level2name = ${literal(column)};`;
}
