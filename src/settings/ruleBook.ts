import { type DebeziumOptions, defaultDebeziumOptions } from '../debezium/debeziumOptions.ts';
import { MAX_ITEM_BYTES, REMEMBERED_TABLES } from '../limits.ts';
import type { Table } from '../model/table.ts';
import type { ColumnRule, TableRules, TextMap } from '../replica/tableRules.ts';
import type { MaskConfig, ReplicaConfig, TableConfig } from './configSchema.ts';
import { hasher, masker } from './masks.ts';
import { normalizer } from './normalize.ts';
import { TablePattern } from './tablePattern.ts';

/** What every table becomes in the replica, as `REPLICA_CONFIG` has it. */
export class RuleBook {
  readonly #config: ReplicaConfig;
  readonly #epoch: number;
  readonly #salt: string;
  readonly #folderOf: FolderOf;
  readonly #entries: readonly Entry[];
  readonly #known = new Map<string, TableRules>();
  /** Messages mostly share the object that names their table; it is found faster than three names are. */
  readonly #knownObjects = new WeakMap<Table, TableRules>();

  /**
   * @param epoch of databases that have none of their own.
   * @param salt of hashed values; needed when something is masked.
   * @param folderOf blobs of the large values of a container; undefined stands for the default one.
   */
  constructor(
    config: ReplicaConfig = {},
    epoch = 0,
    salt = '',
    folderOf: FolderOf = (container = 'rows') => container,
  ) {
    this.#config = config;
    this.#epoch = epoch;
    this.#salt = salt;
    this.#folderOf = folderOf;
    this.#entries = toEntries(config);
  }

  /** Containers of tables that do not go to the default one. */
  get containers(): readonly string[] {
    return [...new Set(this.#entries.flatMap(({ config: { container } }) => container ?? []))].sort();
  }

  /** What the messages of Debezium do not tell. */
  get debezium(): DebeziumOptions {
    const {
      binary = defaultDebeziumOptions.binary,
      unavailableValue = defaultDebeziumOptions.unavailableValue,
    } = this.#config.debezium ?? {};
    return { binary, unavailableValue };
  }

  /** Whether a column is masked, so that a salt is needed. */
  get masks(): boolean {
    return this.#entries.some(({ config: { columns } }) => Object.keys(columns?.mask ?? {}).length > 0);
  }

  /** Every container, with the folder of its large values. */
  get valueFolders(): readonly { readonly container: string | undefined; readonly folder: string }[] {
    return [undefined, ...this.containers].map((container) => ({
      container,
      folder: this.#folderOf(container),
    }));
  }

  /** All that decides the first part of a version; another text when any of it changes. */
  get epochs(): string {
    const chosen = Object.keys(this.#config.databases ?? {})
      .flatMap((name) => {
        const epoch = this.#chosenEpoch(name);
        return epoch === undefined ? [] : [[name, epoch] as const];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return chosen.length === 0 ? String(this.#epoch) : JSON.stringify([this.#epoch, chosen]);
  }

  /**
   * What the document has to do with a table, for people.
   * @param sent the table as messages name it.
   */
  choicesFor(sent: Table): TableChoices {
    const matching = this.#matching(this.of(sent).table);
    const database = own(this.#config.databases, sent.db);
    const columns = matching.flatMap(({ key, normalize, columns: { include, exclude, ...named } = {} }) => [
      ...(include ?? []),
      ...(exclude ?? []),
      ...(key ?? []),
      ...[normalize, ...Object.values(named)].flatMap((choices) => Object.keys(choices ?? {})),
    ]);
    return {
      any: matching.length > 0 || database !== undefined || Object.keys(this.#config.types ?? {}).length > 0,
      columns: [...new Set(columns)],
    };
  }

  /** @param sent the table as messages name it. */
  of(sent: Table): TableRules {
    const known = this.#knownObjects.get(sent);
    if (known !== undefined) return known;
    const rules = this.#byName(sent);
    this.#knownObjects.set(sent, rules);
    return rules;
  }

  #byName(sent: Table): TableRules {
    const name = JSON.stringify([sent.db, sent.schema, sent.name]);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const rules = this.#make(sent);
    if (this.#known.size < REMEMBERED_TABLES) this.#known.set(name, rules);
    return rules;
  }

  #make(sent: Table): TableRules {
    const database = own(this.#config.databases, sent.db);
    const table = { ...sent, db: database?.name ?? sent.db };
    const matching = this.#matching(table);
    const first = <Value>(option: (config: TableConfig) => Value | undefined): Value | undefined => {
      for (const config of matching) {
        const value = option(config);
        if (value !== undefined) return value;
      }
      return undefined;
    };
    const container = first((config) => config.container);
    return {
      table,
      epoch: this.#chosenEpoch(sent.db) ?? this.#epoch,
      included: first(({ include }) => include) ?? true,
      container,
      updates: first(({ updates }) => updates) ?? 'merge',
      deletes: first(({ deletes }) => deletes) ?? 'tombstone',
      key: first(({ key }) => key),
      largeValues: first(({ largeValues }) => largeValues) ?? 'blob',
      valueFolder: this.#folderOf(container),
      itemBytes: first(({ itemBytes }) => itemBytes) ?? MAX_ITEM_BYTES,
      columnRule: (column, sqlType) => this.#columnRule(matching, first, column, sqlType),
    };
  }

  /** A database that was renamed goes on in the epoch it had, unless it has got another one since. */
  #chosenEpoch(db: string): number | undefined {
    const database = own(this.#config.databases, db);
    return database?.epoch ?? own(this.#config.databases, database?.name)?.epoch;
  }

  #matching(table: Table): readonly TableConfig[] {
    return this.#entries.filter(({ pattern }) => pattern.matches(table)).map(({ config }) => config);
  }

  #columnRule(
    matching: readonly TableConfig[],
    first: <Value>(option: (config: TableConfig) => Value | undefined) => Value | undefined,
    column: string,
    sqlType: string | undefined,
  ): ColumnRule {
    const excluded = matching.some(({ columns }) => columns?.exclude?.includes(column) === true);
    const listed = first(({ columns }) => columns?.include)?.includes(column) ?? true;
    const mask = first(({ columns }) => own(columns?.mask, column));
    const ways = first(({ normalize }) => own(normalize, column)) ?? [];
    return {
      name: first(({ columns }) => own(columns?.rename, column)) ?? column,
      presence: excluded ? 'excluded' : listed ? 'kept' : 'unlisted',
      json:
        first(({ columns }) => own(columns?.types, column)) ??
        first(({ types }) => own(types, sqlType)) ??
        own(this.#config.types, sqlType),
      mask: mask === undefined ? undefined : masker(mask, this.#salt),
      idText: idTextOf(normalizer(ways), mask, this.#salt),
    };
  }
}

export interface TableChoices {
  /** Whether the document says anything that holds for the table. */
  readonly any: boolean;
  /** Columns that it names; those of a pattern need not be the table's. */
  readonly columns: readonly string[];
}

type FolderOf = (container: string | undefined) => string;

interface Entry {
  readonly pattern: TablePattern;
  readonly config: TableConfig;
}

/** Names of single tables first, then patterns; among patterns the order of the document. */
function toEntries(config: ReplicaConfig): readonly Entry[] {
  const entries = Object.entries(config.tables ?? {}).flatMap(([text, table]) => {
    const pattern = TablePattern.parse(text);
    return pattern === undefined ? [] : [{ pattern, config: table }];
  });
  return [
    ...entries.filter(({ pattern }) => pattern.exact),
    ...entries.filter(({ pattern }) => !pattern.exact),
  ];
}

/** A masked value must not stand in the id either; only a hash keeps distinct rows apart. */
function idTextOf(normalize: TextMap, mask: MaskConfig | undefined, salt: string): TextMap {
  if (mask === undefined) return normalize;
  const hash = hasher(salt);
  return (text) => hash(normalize(text));
}

/** Names come from the source: one may be called `constructor`. */
function own<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string | undefined,
): Value | undefined {
  return record !== undefined && name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
