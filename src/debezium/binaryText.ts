import type { BinaryMode } from './debeziumOptions.ts';

/** Bytes as `0x` and upper-case hexadecimal digits, as CES has them; undefined for text of another form. */
export function binaryText(mode: Exclude<BinaryMode, 'bytes'>): (value: unknown) => string | undefined {
  const { form, encoding } = forms[mode];
  return (value) => {
    if (typeof value !== 'string' || !form.test(value)) return undefined;
    return `0x${Buffer.from(value, encoding).toString('hex').toUpperCase()}`;
  };
}

const forms = {
  base64: { form: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/, encoding: 'base64' },
  'base64-url-safe': { form: /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3}={0,2})?$/, encoding: 'base64url' },
  hex: { form: /^(?:[0-9A-Fa-f]{2})*$/, encoding: 'hex' },
} as const;
