/**
 * What Debezium writes where it does not know a value, `unavailable.value.placeholder` by default: the column was not
 * sent. In binary columns it stands as bytes, in the connector's `binary.handling.mode`.
 */
const PLACEHOLDER = '__debezium_unavailable_value';

const bytes = Buffer.from(PLACEHOLDER, 'utf8');
const placeholders: ReadonlySet<unknown> = new Set([
  PLACEHOLDER,
  bytes.toString('base64'),
  bytes.toString('base64url'),
  bytes.toString('hex'),
]);

export function isUnavailable(value: unknown): boolean {
  return placeholders.has(value);
}
