import { isUtf8 } from 'node:buffer';

/** Walks over Avro data without decoding it. */
export class AvroCursor {
  /** The bytes ended early, or held a length that none can have; from then on every step does nothing. */
  failed = false;
  /** A text was not UTF-8. */
  invalidText = false;
  /** Position in the bytes. */
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skipTexts(count: number): void {
    for (let left = count; left > 0; left -= 1) this.#skipText();
  }

  /** Walks over an array, block by block; the first item that is not there ends it. */
  skipArray(skipItem: (cursor: AvroCursor) => void): void {
    for (let count = this.readLong(); count !== 0 && !this.failed; count = this.readLong()) {
      // A negative count is followed by the size of the block, for readers that skip it.
      if (count < 0) this.readLong();
      for (let left = Math.abs(count); left > 0 && !this.failed; left -= 1) skipItem(this);
    }
  }

  /** A zigzag number; beyond 2^52 it is not exact, which no length or count comes near. */
  readLong(): number {
    const bytes = this.#bytes;
    let value = 0;
    let unit = 1;
    for (let length = 1; length <= LONGEST_LONG && this.at < bytes.length; length += 1) {
      const byte = bytes[this.at] as number;
      this.at += 1;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      unit *= 0x80;
    }
    this.failed = true;
    return 0;
  }

  #skipText(): void {
    const length = this.readLong();
    const start = this.at;
    const end = start + length;
    if (length < 0 || end > this.#bytes.length) {
      this.failed = true;
      return;
    }
    this.at = end;
    for (let at = start; at < end; at += 1) {
      // Most texts here are short and ASCII, which is told without a call.
      if ((this.#bytes[at] as number) < 0x80) continue;
      if (!isUtf8(this.#bytes.subarray(start, end))) this.invalidText = true;
      return;
    }
  }
}

/** Bytes of the longest number in Avro's variable-length coding. */
const LONGEST_LONG = 10;
