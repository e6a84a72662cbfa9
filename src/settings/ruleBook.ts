import { type DebeziumOptions, defaultDebeziumOptions } from '../debezium/debeziumOptions.ts';
import { MAX_ITEM_BYTES, REMEMBERED_TABLES } from '../limits.ts';
import { foldName } from '../model/name.ts';
import type { Table } from '../model/table.ts';
import type { ColumnRule, TableRules, TextMap } from '../replica/tableRules.ts';
import type { ColumnChoices } from './columnChoices.ts';
import type { DatabaseConfig, MaskConfig, ReplicaConfig, TableConfig } from './configSchema.ts';
import { hasher, masker } from './masks.ts';
import { NameMap } from './nameMap.ts';
import { normalizer } from './normalize.ts';
import { columnsIn, entriesFor, firstOf, type TableEntry, tableEntries } from './tableEntries.ts';

/** What every table becomes in the replica, as `REPLICA_CONFIG` has it. */
export class RuleBook {
  readonly #config: ReplicaConfig;
  readonly #epoch: number;
  readonly #salt: string;
  readonly #folderOf: FolderOf;
  readonly #entries: readonly TableEntry[];
  readonly #databases: NameMap<DatabaseConfig>;
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
    this.#entries = tableEntries(config);
    this.#databases = new NameMap(config.databases);
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
    const matching = entriesFor(this.of(sent).table, this.#entries);
    const database = this.#database(sent.db);
    return {
      any: matching.length > 0 || database !== undefined || Object.keys(this.#config.types ?? {}).length > 0,
      entries: this.#entries.length === 0 ? undefined : matching.map(({ name }) => name),
      columns: [...new Set(matching.flatMap(({ config }) => columnsIn(config)))],
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
    const database = this.#database(sent.db);
    const table = { ...sent, db: database?.name ?? sent.db };
    const matching = entriesFor(table, this.#entries);
    const first = <Value>(option: (config: TableConfig) => Value | undefined) =>
      firstOf(matching, ({ config }) => option(config));
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
      columnRule: (column, sqlType) => this.#columnRule(matching, column, sqlType),
    };
  }

  #database(name: string): DatabaseConfig | undefined {
    return this.#databases.get(name, foldName(name));
  }

  /** A database that was renamed goes on in the epoch it had, unless it has got another one since. */
  #chosenEpoch(db: string): number | undefined {
    const database = this.#database(db);
    return database?.epoch ?? this.#database(database?.name ?? db)?.epoch;
  }

  #columnRule(matching: readonly TableEntry[], column: string, sqlType: string | undefined): ColumnRule {
    const first = <Value>(option: (choices: ColumnChoices) => Value | undefined) =>
      firstOf(matching, ({ columns }) => option(columns));
    const folded = foldName(column);
    const excluded = matching.some(({ columns }) => columns.excluded.has(folded));
    const listed = first(({ included }) => included?.has(folded)) ?? true;
    const mask = first(({ masks }) => masks.get(column, folded));
    const ways = first((choices) => choices.ways.get(column, folded)) ?? [];
    return {
      name: first(({ names }) => names.get(column, folded)) ?? column,
      presence: excluded ? 'excluded' : listed ? 'kept' : 'unlisted',
      json:
        first(({ types }) => types.get(column, folded)) ??
        firstOf(matching, ({ config: { types } }) => own(types, sqlType)) ??
        own(this.#config.types, sqlType),
      mask: mask === undefined ? undefined : masker(mask, this.#salt),
      idText: idTextOf(normalizer(ways), mask, this.#salt),
    };
  }
}

export interface TableChoices {
  /** Whether the document says anything that holds for the table. */
  readonly any: boolean;
  /** Names of the entries for the table, in the order in which they count; undefined when there are none for any. */
  readonly entries: readonly string[] | undefined;
  /** Columns that it names; those of a pattern need not be the table's. */
  readonly columns: readonly string[];
}

type FolderOf = (container: string | undefined) => string;

/** A masked value must not stand in the id either; only a hash keeps distinct rows apart. */
function idTextOf(normalize: TextMap, mask: MaskConfig | undefined, salt: string): TextMap {
  if (mask === undefined) return normalize;
  const hash = hasher(salt);
  return (text) => hash(normalize(text));
}

/** Types come from the source: one may be called `constructor`. */
function own<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string | undefined,
): Value | undefined {
  return record !== undefined && name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
