/** What a column becomes in a replica item. */
export type JsonValue = string | number | boolean | null;
