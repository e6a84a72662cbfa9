/** What a column becomes in a replica item. */
export type JsonValue = string | number | boolean | null;

/** The JSON type of a column, where it does not follow from the SQL type. */
export type JsonType = 'number' | 'text' | 'boolean';
