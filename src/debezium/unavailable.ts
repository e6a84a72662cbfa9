import { type DebeziumOptions, defaultDebeziumOptions } from './debeziumOptions.ts';

/**
 * Whether Debezium did not know a value, so that the column was not sent: it writes the connector's
 * `unavailable.value.placeholder` in its place, in binary columns as bytes, in the connector's `binary.handling.mode`.
 */
export type IsUnavailable = (value: unknown) => boolean;

/** The default is always one, too: a hub can hold messages from before the connector got another. */
export function isUnavailable({ unavailableValue }: DebeziumOptions): IsUnavailable {
  const found = known.get(unavailableValue);
  if (found !== undefined) return found;
  const values = new Set<unknown>(
    [unavailableValue, defaultDebeziumOptions.unavailableValue].flatMap(formsOf),
  );
  const check: IsUnavailable = (value) => values.has(value);
  known.set(unavailableValue, check);
  return check;
}

/** By placeholder: there are as many as the configuration names. */
const known = new Map<string, IsUnavailable>();

/** Where the connector's option takes bytes. */
const HEX_FORM = /^hex:((?:[0-9a-f]{2})+)$/i;

function formsOf(placeholder: string): string[] {
  const hex = HEX_FORM.exec(placeholder)?.[1];
  const bytes = hex === undefined ? Buffer.from(placeholder, 'utf8') : Buffer.from(hex, 'hex');
  return [
    bytes.toString('utf8'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}
