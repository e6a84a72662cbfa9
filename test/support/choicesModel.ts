import { createHmac } from 'node:crypto';
import type { TableConfig } from '../../src/settings/configSchema.ts';
import { type ModelChange, modelColumns, type Values } from './choicesArbitrary.ts';

export const SALT = 'a salt of the tests';

/** What a program sees of an item: its row, entry by entry, in the order of names. */
export interface Seen {
  readonly key: readonly (readonly [string, unknown])[];
  readonly row: readonly (readonly [string, unknown])[] | null;
  readonly deleted: boolean;
}

export function entriesOf(values: object): readonly (readonly [string, unknown])[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

interface ModelRow {
  image: 'none' | 'row' | 'delete';
  lastIsDelete: boolean;
  key: [string, unknown][];
  row: Map<string, unknown>;
}

type Key = readonly (readonly [string, string])[];

class Rejection extends Error {}

/**
 * The naive replica: does one change after the other in the order of the log, as docs/replica-config.md says it, and
 * shares nothing with the app.
 */
export class ChoicesModel {
  readonly #choices: TableConfig;
  readonly #rows = new Map<string, ModelRow>();
  rejected = 0;

  constructor(choices: TableConfig) {
    this.#choices = choices;
  }

  seen(): Map<string, Seen> {
    return new Map(
      [...this.#rows].map(([id, { image, lastIsDelete, key, row }]) => {
        const deleted = lastIsDelete || (image === 'delete' && row.size === 0);
        const nothing = deleted && row.size === 0 && image !== 'row';
        return [
          id,
          {
            key: key.toSorted(([a], [b]) => (a < b ? -1 : 1)),
            deleted,
            row: nothing ? null : entriesOf(Object.fromEntries(row)),
          },
        ];
      }),
    );
  }

  play(change: ModelChange): void {
    try {
      this.#play(change);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      this.rejected += 1;
    }
  }

  #play({ operation, old, current }: ModelChange): void {
    const { deletes = 'tombstone', updates = 'merge', key: configured } = this.#choices;
    this.#check([]);
    if (operation === 'DEL' && deletes === 'ignore') return;
    const key = this.#keyOf(old, current);
    this.#check(key);
    if (operation === 'DEL') {
      this.#delete(key, old);
      return;
    }
    const names = key.map(([name]) => name);
    const newKey = configured === undefined ? valuesOf(names, current) : key;
    const oldKey = operation === 'INS' ? null : valuesOf(names, old);
    if (newKey !== null && oldKey !== null && this.#id(newKey) !== this.#id(oldKey)) {
      this.#delete(oldKey, old);
      this.#insert(newKey, new Map([...old, ...current]));
      return;
    }
    if (operation === 'INS' || updates === 'replace') this.#insert(newKey ?? key, current);
    else this.#update(newKey ?? key, current);
  }

  #keyOf(old: Values, current: Values): Key {
    const { key } = this.#choices;
    const primary = current.get('Id') ?? old.get('Id') ?? 'a';
    if (key === undefined) return [['Id', primary]];
    return key.map((name) => {
      const image = [current, old].find((one) => one.has(name));
      const value = image === undefined && name === 'Id' ? primary : image?.get(name);
      if (value === null || value === undefined) throw new Rejection('no key');
      return [name, value];
    });
  }

  #delete(key: Key, old: Values): void {
    const { deletes = 'tombstone' } = this.#choices;
    if (deletes === 'ignore') return;
    if (deletes === 'soft') this.#update(key, old);
    const row = this.#row(key);
    row.lastIsDelete = true;
    if (deletes === 'soft') return;
    row.image = 'delete';
    row.row = new Map();
  }

  #insert(key: Key, values: Values): void {
    const row = this.#row(key);
    row.image = 'row';
    row.row = new Map();
    this.#update(key, values);
  }

  #update(key: Key, values: Values): void {
    const row = this.#row(key);
    row.lastIsDelete = false;
    for (const [column, value] of values)
      if (this.#isKept(column, key)) row.row.set(this.#name(column), this.#json(column, value));
  }

  #row(key: Key): ModelRow {
    const id = this.#id(key);
    const row = this.#rows.get(id) ?? { image: 'none', lastIsDelete: false, key: [], row: new Map() };
    row.key = key.map(([name, value]) => [this.#name(name), this.#json(name, value)]);
    this.#rows.set(id, row);
    return row;
  }

  #id(key: Key): string {
    const parts = key.map(([name, value]) => {
      let part = value;
      for (const way of this.#choices.normalize?.[name] ?? []) {
        if (way === 'ci') part = part.toLowerCase();
        if (way === 'rtrim') part = part.replace(/ +$/, '');
      }
      const masks = this.#choices.columns?.mask ?? {};
      return Object.hasOwn(masks, name) ? hmac(part) : part;
    });
    return JSON.stringify(parts);
  }

  #name(column: string): string {
    const names = this.#choices.columns?.rename ?? {};
    return Object.hasOwn(names, column) ? (names[column] ?? column) : column;
  }

  #isKept(column: string, key: Key): boolean {
    const { include, exclude = [] } = this.#choices.columns ?? {};
    if (exclude.includes(column)) return false;
    return include === undefined || include.includes(column) || key.some(([name]) => name === column);
  }

  /** Columns that cannot be told apart, or a key that is left out. */
  #check(key: Key): void {
    if (key.some(([name]) => !this.#isKept(name, key))) throw new Rejection('key excluded');
    const names = modelColumns
      .filter((column) => this.#isKept(column, key))
      .map((column) => this.#name(column));
    if (new Set(names).size < names.length) throw new Rejection('conflict');
  }

  #json(column: string, value: string | null): unknown {
    if (value === null) return null;
    const { mask: masks = {}, types = {} } = this.#choices.columns ?? {};
    const mask = Object.hasOwn(masks, column) ? masks[column] : undefined;
    if (mask === 'hash') return hmac(value);
    if (mask !== undefined && 'fixed' in mask) return mask.fixed;
    if (mask !== undefined)
      return [...value].length > mask.last ? `****${[...value].slice(-mask.last).join('')}` : '****';
    const type = Object.hasOwn(types, column) ? types[column] : column === 'N' ? 'number' : 'text';
    if (type === 'number' && value !== 'many') return Number(value);
    if (type === 'boolean' && (value === '0' || value === '1')) return value === '1';
    return value;
  }
}

function valuesOf(names: readonly string[], image: Values): Key | null {
  const found = names.map((name) => [name, image.get(name) ?? null] as const);
  return found.every((one): one is readonly [string, string] => one[1] !== null) ? found : null;
}

/** Half a surrogate pair is written as in WTF-8. */
function hmac(value: string): string {
  const bytes = [...value].map((one) => {
    const code = one.codePointAt(0) ?? 0;
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    return isHalf
      ? Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)])
      : Buffer.from(one);
  });
  return createHmac('sha256', SALT).update(Buffer.concat(bytes)).digest('hex');
}
