import type { Output } from '../../../local/ops/output.ts';

/** An output that keeps what was written. */
export class Listener implements Output {
  readonly columns: number;
  readonly #written: Buffer[] = [];

  constructor(columns = 120) {
    this.columns = columns;
  }

  write(content: string | Uint8Array): void {
    this.#written.push(Buffer.from(content));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#written);
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }
}
