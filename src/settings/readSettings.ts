import { ConfigurationError } from '../errors/configurationError.ts';
import { MAX_HUB_PARTITIONS } from '../limits.ts';
import { MAX_EPOCH } from '../model/version.ts';
import type { ReplicaConfig } from './configSchema.ts';
import { readReplicaConfig } from './replicaConfig.ts';
import type { ReplicaSettings } from './replicaSettings.ts';
import { RuleBook } from './ruleBook.ts';
import { type SettingName, settingsCatalogue } from './settingsCatalogue.ts';
import { isConnectionString, readAuthentication, type TelemetrySettings } from './telemetrySettings.ts';
import { valueFolder } from './valueFolder.ts';

export interface Settings extends ReplicaSettings {
  readonly cosmos: {
    readonly endpoint: string;
    /** Undefined: connect with an identity. */
    readonly key: string | undefined;
    readonly database: string;
    readonly container: string;
  };
  readonly blob: BlobConnection;
  /** Undefined: transactions are not tracked. */
  readonly transactions: TransactionSettings | undefined;
  /** Client id of a user-assigned identity. */
  readonly clientId: string | undefined;
  /** Undefined: no telemetry. */
  readonly telemetry: TelemetrySettings | undefined;
}

export interface TransactionSettings {
  readonly container: string;
  /** Partitions of the event hub. */
  readonly partitions: number;
  readonly idleSeconds: number;
  /** Whether the numbers of the changes of each table are written. */
  readonly withOrder: boolean;
  /** Event hub that boundaries are sent to; undefined: they are not. */
  readonly eventsHub: string | undefined;
}

export type BlobConnection =
  | { readonly kind: 'identity'; readonly endpoint: string }
  | { readonly kind: 'connectionString'; readonly connectionString: string };

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates all settings at once.
 * @throws ConfigurationError naming every setting that is missing or wrong and what to put there.
 */
export function readSettings(environment: Environment): Settings {
  const reader = new Reader(environment);
  reader.refuseReferences();
  reader.requireOneOf('EventHub__fullyQualifiedNamespace', 'EventHub');
  reader.text('EVENT_HUB_NAME');
  reader.text('EVENT_HUB_CONSUMER_GROUP');
  const retentionDays = reader.integer('HUB_RETENTION_DAYS', { least: 1, most: 90, otherwise: 7 });
  const tombstoneDays = reader.integer('TOMBSTONE_DAYS', { least: 1, most: 3650, otherwise: 8 });
  if (tombstoneDays < retentionDays) {
    // A delete that is forgotten before its hub forgets older changes would let these bring the row back.
    reader.complain(
      'TOMBSTONE_DAYS',
      `is ${tombstoneDays}, less than the ${retentionDays} of HUB_RETENTION_DAYS`,
    );
  }
  const parkedHours = reader.integer('PARKED_HOURS', { least: 1, most: 24 * 3650, otherwise: 24 });
  if (parkedHours >= tombstoneDays * HOURS_PER_DAY) {
    // An event that completes after a delete is forgotten could bring the row back.
    reader.complain(
      'PARKED_HOURS',
      `is ${parkedHours}, not less than the ${tombstoneDays * HOURS_PER_DAY} hours of TOMBSTONE_DAYS`,
    );
  }
  const cosmos = {
    endpoint: reader.url('COSMOS_ENDPOINT'),
    key: reader.optional('COSMOS_KEY'),
    database: reader.optional('COSMOS_DATABASE') ?? 'replica',
    container: reader.optional('COSMOS_CONTAINER') ?? 'rows',
  };
  const settings: Settings = {
    cosmos,
    blob: reader.blob(),
    transactions: reader.transactions(cosmos),
    clientId: reader.optional('AZURE_CLIENT_ID'),
    telemetry: reader.telemetry(),
    tombstoneSeconds: tombstoneDays * SECONDS_PER_DAY,
    parkedSeconds: parkedHours * SECONDS_PER_HOUR,
    batchDeadlineSeconds: reader.integer('BATCH_DEADLINE_SECONDS', { least: 5, most: 3600, otherwise: 120 }),
    rules: reader.rules(cosmos),
  };
  const { transactions, rules } = settings;
  if (transactions !== undefined && rules.containers.some((name) => name === transactions.container))
    reader.complain('COSMOS_TRANSACTIONS_CONTAINER', 'is that of a table in REPLICA_CONFIG');
  reader.finish();
  return settings;
}

/** Characters of a salt that cannot be tried out. */
const LEAST_SALT = 16;
const KEY_VAULT_REFERENCE = '@Microsoft.KeyVault(';
/**
 * Settings of the host for which it spreads the invocations of one instance over several worker processes, and their
 * values for which it does not. Each would take what the host tells of another one's run for its own.
 */
const ONE_PROCESS = [
  ['FUNCTIONS_WORKER_PROCESS_COUNT', /^1?$/],
  ['FUNCTIONS_WORKER_DYNAMIC_CONCURRENCY_ENABLED', /^(?!true$)/i],
] as const;

const HOURS_PER_DAY = 24;
const SECONDS_PER_HOUR = 60 * 60;
const SECONDS_PER_DAY = HOURS_PER_DAY * SECONDS_PER_HOUR;

/** Collects all complaints, so that an operator sees them in one go. */
class Reader {
  readonly #environment: Environment;
  readonly #complaints: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  optional(name: SettingName): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  text(name: SettingName): string {
    const value = this.optional(name);
    if (value === undefined) this.complain(name, 'is missing');
    return value ?? '';
  }

  url(name: SettingName): string {
    const value = this.text(name);
    this.#checkUrl(name, value);
    return value;
  }

  integer(name: SettingName, range: { least: number; most: number; otherwise: number }): number {
    const value = this.optional(name);
    if (value === undefined) return range.otherwise;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= range.least && number <= range.most) return number;
    this.complain(name, 'is not a whole number in its range');
    return range.otherwise;
  }

  /** Where Azure cannot resolve a reference, the app gets its text: as a salt it would give all rows other ids. */
  refuseReferences(): void {
    for (const name of Object.keys(settingsCatalogue) as SettingName[]) {
      if (this.optional(name)?.startsWith(KEY_VAULT_REFERENCE))
        this.complain(name, 'is a Key Vault reference that was not resolved');
    }
  }

  requireOneOf(identity: SettingName, connectionString: SettingName): void {
    const both = [identity, connectionString].filter((name) => this.optional(name) !== undefined);
    if (both.length === 0) this.complain(identity, `is missing, and so is ${connectionString}`);
  }

  blob(): BlobConnection {
    const connectionString = this.optional('BLOB_CONNECTION_STRING');
    if (connectionString !== undefined) return { kind: 'connectionString', connectionString };
    const endpoint = this.optional('BLOB_ENDPOINT');
    if (endpoint === undefined)
      this.complain('BLOB_ENDPOINT', 'is missing, and so is BLOB_CONNECTION_STRING');
    else this.#checkUrl('BLOB_ENDPOINT', endpoint);
    return { kind: 'identity', endpoint: endpoint ?? '' };
  }

  telemetry(): TelemetrySettings | undefined {
    const connectionString = this.optional('APPLICATIONINSIGHTS_CONNECTION_STRING');
    if (connectionString === undefined) return undefined;
    if (!isConnectionString(connectionString))
      this.complain('APPLICATIONINSIGHTS_CONNECTION_STRING', 'is not a connection string');
    const authentication = this.optional('APPLICATIONINSIGHTS_AUTHENTICATION_STRING');
    const identity = authentication === undefined ? undefined : readAuthentication(authentication);
    if (authentication !== undefined && identity === undefined)
      this.complain('APPLICATIONINSIGHTS_AUTHENTICATION_STRING', 'does not say Authorization=AAD');
    return { connectionString, identity };
  }

  transactions({ container: rows }: Settings['cosmos']): TransactionSettings | undefined {
    const partitions = this.integer('HUB_PARTITIONS', { least: 1, most: MAX_HUB_PARTITIONS, otherwise: 0 });
    const idleSeconds = this.integer('TRANSACTION_IDLE_SECONDS', { least: 1, most: 86_400, otherwise: 120 });
    const container = this.optional('COSMOS_TRANSACTIONS_CONTAINER') ?? 'transactions';
    const choice = this.optional('TRANSACTIONS') ?? 'off';
    const eventsHub = this.#eventsHub(choice);
    switch (choice) {
      case 'off':
        return undefined;
      case 'on':
      case 'on-with-order':
        if (this.optional('HUB_PARTITIONS') === undefined)
          this.complain('HUB_PARTITIONS', 'is missing, and TRANSACTIONS is on');
        if (container === rows) this.complain('COSMOS_TRANSACTIONS_CONTAINER', 'is that of the rows');
        return { container, partitions, idleSeconds, withOrder: choice === 'on-with-order', eventsHub };
      default:
        this.complain('TRANSACTIONS', 'is none of its three values');
        return undefined;
    }
  }

  #eventsHub(tracking: string): string | undefined {
    const hub = this.optional('TRANSACTION_EVENTS_HUB');
    if (hub === undefined) return undefined;
    if (tracking === 'off') this.complain('TRANSACTION_EVENTS_HUB', 'is there, and TRANSACTIONS is off');
    // The app would read what it sends.
    if (hub.toLowerCase() === this.optional('EVENT_HUB_NAME')?.toLowerCase())
      this.complain('TRANSACTION_EVENTS_HUB', 'is that of the changes');
    // The host takes the hub's name from there, whatever the settings say.
    if (/;\s*EntityPath\s*=/i.test(this.optional('EventHub') ?? ''))
      this.complain('EventHub', 'has an EntityPath, which has to go: TRANSACTION_EVENTS_HUB is another hub');
    for (const [name, alone] of ONE_PROCESS) {
      if (!alone.test(this.#environment[name]?.trim() ?? ''))
        this.complain(
          'TRANSACTION_EVENTS_HUB',
          `is there, and ${name} lets an instance have several processes`,
        );
    }
    return hub;
  }

  rules(cosmos: Settings['cosmos']): RuleBook {
    const epoch = this.integer('REPLICA_EPOCH', { least: 0, most: MAX_EPOCH, otherwise: 0 });
    const config = this.#config();
    const salt = this.optional('MASK_SALT');
    const rules = new RuleBook(config, epoch, salt, valueFolder(cosmos));
    if (salt === undefined && rules.masks)
      this.complain('MASK_SALT', 'is missing, and REPLICA_CONFIG masks columns');
    else if (salt !== undefined && salt.length < LEAST_SALT)
      this.complain('MASK_SALT', `is shorter than ${LEAST_SALT} characters`);
    return rules;
  }

  /** Says what is wrong, never the value: it may be a secret. */
  complain(name: SettingName, what: string): void {
    this.#complaints.push(`${name} ${what}: put there ${settingsCatalogue[name].put}`);
  }

  finish(): void {
    if (this.#complaints.length > 0) throw new ConfigurationError(this.#complaints.join('\n'));
  }

  #config(): ReplicaConfig {
    const setting = this.optional('REPLICA_CONFIG');
    if (setting === undefined) return {};
    try {
      return readReplicaConfig(setting);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.#complaints.push(error.message);
      return {};
    }
  }

  #checkUrl(name: SettingName, value: string): void {
    if (value !== '' && !/^https?:$/.test(URL.parse(value)?.protocol ?? ''))
      this.complain(name, 'is not a URL');
  }
}
