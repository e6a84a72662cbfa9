/**
 * A decimal of `decimal.handling.mode` precise: base64 of a big-endian two's complement number without its point.
 * @param scale digits after the point; undefined when they are not known, and so no value is.
 */
export function decimalOfBytes(scale: number | undefined): (value: unknown) => string | undefined {
  return (value) => {
    if (scale === undefined) return undefined;
    if (typeof value !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === 0 || bytes.length > MOST_BYTES) return undefined;
    const unscaled = BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
    return withPoint(unscaled, scale);
  };
}

/** More than the 38 digits of SQL Server need, and few enough to be quick. */
const MOST_BYTES = 32;

function withPoint(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * A decimal of the modes double and string, in plain notation with all digits of its scale. A double may have
 * lost digits on the way; none is added but zeros.
 */
export function decimalOfNumber(scale: number): (value: unknown) => string | undefined {
  return (value) => {
    const found = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(value));
    if (found === null) return undefined;
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
    const digits = whole + fraction;
    const point = whole.length + Number(exponent);
    const left =
      point <= 0
        ? '0'
        : digits
            .slice(0, point)
            .padEnd(point, '0')
            .replace(/^0+(?=\d)/, '');
    const right = (point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point))
      .replace(/0+$/, '')
      .padEnd(scale, '0');
    return `${sign}${left}${right === '' ? '' : `.${right}`}`;
  };
}
