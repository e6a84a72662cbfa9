/** What the messages themselves do not tell. */
export interface DebeziumOptions {
  /** The connector's `binary.handling.mode`: the texts of the other modes look alike. */
  readonly binary: BinaryMode;
  /** The connector's `unavailable.value.placeholder`. */
  readonly unavailableValue: string;
}

export const binaryModes = ['bytes', 'base64', 'base64-url-safe', 'hex'] as const;
export type BinaryMode = (typeof binaryModes)[number];

export const defaultDebeziumOptions: DebeziumOptions = {
  binary: 'bytes',
  unavailableValue: '__debezium_unavailable_value',
};
