/** A value that the text ends in; `there` is what stands before the end, undefined where that says nothing. */
export class Cut {
  readonly there: unknown;

  constructor(there: unknown) {
    this.there = there;
  }
}

/**
 * Parses the beginning of a JSON text: the values of which the end is missing come out as {@link Cut}.
 * Numbers come out as the text they were written as, so that no digit is lost.
 * @returns undefined when the text is no beginning of JSON, or nested deeper than any CES message.
 */
export function parseJsonPrefix(text: string): unknown {
  try {
    return new PrefixReader(text).value(0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What is cut is at most the last member or element. */
export function isCut(value: unknown): value is Cut {
  return value instanceof Cut;
}

const MAX_DEPTH = 32;

class PrefixReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deep');
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case undefined:
        return new Cut(undefined);
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#literal();
    }
  }

  #object(depth: number): unknown {
    const members: [string, unknown][] = [];
    const cut = (): Cut => new Cut(Object.fromEntries(members));
    this.#at += 1;
    if (this.#next() === '}') return this.#close({});
    for (;;) {
      if (this.#next() === undefined) return cut();
      if (this.#next() !== '"') throw new SyntaxError('a name is expected');
      const name = this.#string();
      if (typeof name !== 'string' || this.#next() === undefined) return cut();
      this.#expect(':');
      const value = this.value(depth + 1);
      members.push([name, value]);
      if (isCut(value) || this.#next() === undefined) return cut();
      if (this.#next() === '}') return this.#close(Object.fromEntries(members));
      this.#expect(',');
    }
  }

  #array(depth: number): unknown {
    const elements: unknown[] = [];
    this.#at += 1;
    if (this.#next() === ']') return this.#close(elements);
    for (;;) {
      const value = this.value(depth + 1);
      elements.push(value);
      if (isCut(value) || this.#next() === undefined) return new Cut(elements);
      if (this.#next() === ']') return this.#close(elements);
      this.#expect(',');
    }
  }

  #string(): unknown {
    const start = this.#at;
    let at = start + 1;
    for (; at < this.#text.length; at += 1) {
      const character = this.#text[at];
      if (character === '"') {
        this.#at = at + 1;
        return JSON.parse(this.#text.slice(start, this.#at));
      }
      if (character !== '\\') continue;
      const end = at + (this.#text[at + 1] === 'u' ? UNICODE_ESCAPE : SHORT_ESCAPE);
      // An escape that is cut says nothing.
      if (end > this.#text.length) break;
      at = end - 1;
    }
    this.#at = this.#text.length;
    return new Cut(JSON.parse(`${this.#text.slice(start, at)}"`));
  }

  /** A number or literal that nothing follows may go on. */
  #literal(): unknown {
    const [written = ''] = /^[-+.\w]*/.exec(this.#text.slice(this.#at, this.#at + LONGEST_LITERAL)) ?? [];
    this.#at += written.length;
    if (this.#at === this.#text.length) return new Cut(undefined);
    const value: unknown = JSON.parse(written);
    return typeof value === 'number' ? written : value;
  }

  #close<Value>(value: Value): Value {
    this.#at += 1;
    return value;
  }

  #expect(character: string): void {
    if (this.#next() !== character) throw new SyntaxError(`${character} is expected`);
    this.#at += 1;
  }

  #next(): string | undefined {
    this.#skipSpace();
    return this.#text[this.#at];
  }

  #skipSpace(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }
}

const SHORT_ESCAPE = '\\n'.length;
const UNICODE_ESCAPE = '\\u0000'.length;
const LONGEST_LITERAL = 400;
