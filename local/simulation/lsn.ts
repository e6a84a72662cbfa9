import type { Random } from './random.ts';

/** A log sequence number: virtual log file (32 bits), log block (32 bits), slot (16 bits). */
export interface Lsn {
  readonly file: number;
  readonly block: number;
  readonly slot: number;
}

/** `000000B1:000008A8:0007`, as in the transaction block. */
export function lsnText(lsn: Lsn): string {
  return [hex(lsn.file, 8), hex(lsn.block, 8), hex(lsn.slot, 4)].join(':');
}

/** `000000B1000008A80007`, as in the logical id. */
export function lsnDigits(lsn: Lsn): string {
  return lsnText(lsn).replaceAll(':', '');
}

/** Where a transaction starts and ends in the log. */
export interface TransactionLsns {
  readonly begin: Lsn;
  readonly commit: Lsn;
}

const OPEN_TRANSACTIONS = 3;
const MAX_SLOT = 0xffff;
const MAX_BLOCK = 0xffff_0000;

/** The log of one database. Commits only go up; begins do not, because transactions overlap. */
export class Log {
  readonly #random: Random;
  #last: Lsn;
  readonly #begun: Lsn[] = [];

  constructor(random: Random) {
    this.#random = random;
    this.#last = { file: random.integer(0x20, 0xff), block: 0x10, slot: 1 };
    for (let count = 0; count < OPEN_TRANSACTIONS; count += 1) this.#begun.push(this.#advance());
  }

  nextTransaction(): TransactionLsns {
    const begin = this.#random.pick(this.#begun);
    this.#begun.splice(this.#begun.indexOf(begin), 1, this.#advance());
    return { begin, commit: this.#advance() };
  }

  #advance(): Lsn {
    const { file, block, slot } = this.#last;
    const nextSlot = slot + this.#random.integer(1, 24);
    const nextBlock = block + 8 * this.#random.integer(1, 32);
    if (nextBlock > MAX_BLOCK || this.#random.chance(0.01)) {
      this.#last = { file: file + 1, block: 0x10, slot: 1 };
    } else if (nextSlot > MAX_SLOT || this.#random.chance(0.2)) {
      this.#last = { file, block: nextBlock, slot: 1 };
    } else {
      this.#last = { file, block, slot: nextSlot };
    }
    return this.#last;
  }
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
