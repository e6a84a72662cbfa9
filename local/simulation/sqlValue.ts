import type { Random } from './random.ts';

/** What a replica can hold for one column. */
export type JsonValue = string | number | boolean | null;

/** One value of a row: the text change event streaming sends, and what a replica must make of it. */
export interface Cell {
  readonly text: string | null;
  readonly json: JsonValue;
}

/** A SQL type by the name the stream gives it, and a maker of its values. */
export interface SqlType {
  readonly name: string;
  generate(random: Random): Cell;
}

export const NULL_CELL: Cell = { text: null, json: null };

/** A value that is kept as it was sent. */
export function textCell(text: string): Cell {
  return { text, json: text };
}

/** A value that is exact as a double. */
export function numberCell(text: string): Cell {
  return { text, json: Number(text) };
}
