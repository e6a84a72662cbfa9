import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { type Environment, readSettings } from '../../src/settings/readSettings.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { type SettingName, settingsCatalogue } from '../../src/settings/settingsCatalogue.ts';

const SECONDS_PER_DAY = 86_400;

/** The least that works. */
const least: Environment = {
  EventHub__fullyQualifiedNamespace: 'ns.servicebus.windows.net',
  EVENT_HUB_NAME: 'ces',
  EVENT_HUB_CONSUMER_GROUP: 'replica',
  COSMOS_ENDPOINT: 'https://account.documents.azure.com:443/',
  BLOB_ENDPOINT: 'https://account.blob.core.windows.net',
};

/** The lines of what is complained about. */
function complaints(environment: Environment): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message.split('\n');
  }
}

function onlyComplaint(environment: Environment): string {
  const [only, ...rest] = complaints(environment);
  assert.deepEqual(rest, []);
  assert.ok(only !== undefined, 'no complaint');
  return only;
}

test('the least that works, with its defaults', () => {
  assert.deepEqual(readSettings(least), {
    cosmos: {
      endpoint: 'https://account.documents.azure.com:443/',
      key: undefined,
      database: 'replica',
      container: 'rows',
    },
    blob: { kind: 'identity', endpoint: 'https://account.blob.core.windows.net' },
    transactions: undefined,
    clientId: undefined,
    telemetry: undefined,
    tombstoneSeconds: 8 * SECONDS_PER_DAY,
    parkedSeconds: SECONDS_PER_DAY,
    batchDeadlineSeconds: 120,
    rules: new RuleBook(),
  });
});

test('everything set', () => {
  const environment: Environment = {
    ...least,
    COSMOS_KEY: 'a2V5',
    COSMOS_DATABASE: 'd',
    COSMOS_CONTAINER: 'c',
    BLOB_CONNECTION_STRING: 'UseDevelopmentStorage=true',
    AZURE_CLIENT_ID: 'client',
    REPLICA_EPOCH: '12',
    HUB_RETENTION_DAYS: '30',
    TOMBSTONE_DAYS: '31',
    PARKED_HOURS: '48',
    BATCH_DEADLINE_SECONDS: '60',
    TRANSACTIONS: 'on-with-order',
    HUB_PARTITIONS: '32',
    TRANSACTION_IDLE_SECONDS: '45',
    COSMOS_TRANSACTIONS_CONTAINER: 't',
    TRANSACTION_EVENTS_HUB: 'transactions',
    REPLICA_CONFIG: '{"tables":{"d.dbo.T":{"updates":"replace"}}}',
  };
  assert.deepEqual(readSettings(environment), {
    cosmos: { endpoint: least['COSMOS_ENDPOINT'], key: 'a2V5', database: 'd', container: 'c' },
    blob: { kind: 'connectionString', connectionString: 'UseDevelopmentStorage=true' },
    transactions: {
      container: 't',
      partitions: 32,
      idleSeconds: 45,
      withOrder: true,
      eventsHub: 'transactions',
    },
    clientId: 'client',
    telemetry: undefined,
    tombstoneSeconds: 31 * SECONDS_PER_DAY,
    parkedSeconds: 2 * SECONDS_PER_DAY,
    batchDeadlineSeconds: 60,
    rules: new RuleBook({ tables: { 'd.dbo.T': { updates: 'replace' } } }, 12),
  });
});

test('tracking is off unless it is on, has its defaults, and needs to know the partitions', () => {
  assert.equal(readSettings({ ...least, TRANSACTIONS: 'off', HUB_PARTITIONS: '4' }).transactions, undefined);
  assert.deepEqual(readSettings({ ...least, TRANSACTIONS: 'on', HUB_PARTITIONS: '4' }).transactions, {
    container: 'transactions',
    partitions: 4,
    idleSeconds: 120,
    withOrder: false,
    eventsHub: undefined,
  });
  assert.match(
    onlyComplaint({ ...least, TRANSACTIONS: 'on' }),
    /^HUB_PARTITIONS is missing, and TRANSACTIONS/,
  );
  assert.match(onlyComplaint({ ...least, TRANSACTIONS: 'yes' }), /^TRANSACTIONS is none of its three values/);
  const on = { ...least, TRANSACTIONS: 'on', HUB_PARTITIONS: '4' };
  assert.match(
    onlyComplaint({ ...on, COSMOS_TRANSACTIONS_CONTAINER: 'rows' }),
    /^COSMOS_TRANSACTIONS_CONTAINER is that of the rows/,
  );
  const config = JSON.stringify({ tables: { 'd.dbo.T': { container: 'transactions' } } });
  assert.match(
    onlyComplaint({ ...on, REPLICA_CONFIG: config }),
    /^COSMOS_TRANSACTIONS_CONTAINER is that of a table in REPLICA_CONFIG/,
  );
});

// The app would read what it sends: without end, and as changes that nobody can decode.
test('boundaries go to another hub, and only where transactions are tracked', () => {
  const on = { ...least, TRANSACTIONS: 'on', HUB_PARTITIONS: '4' };
  assert.match(
    onlyComplaint({ ...least, TRANSACTION_EVENTS_HUB: 't' }),
    /^TRANSACTION_EVENTS_HUB is there, and TRANSACTIONS is off/,
  );
  const same = String(least['EVENT_HUB_NAME']).toUpperCase();
  assert.match(
    onlyComplaint({ ...on, TRANSACTION_EVENTS_HUB: same }),
    /^TRANSACTION_EVENTS_HUB is that of the changes/,
  );
  const EventHub = 'Endpoint=sb://localhost;SharedAccessKeyName=a;SharedAccessKey=b;EntityPath=ces';
  assert.match(
    onlyComplaint({ ...on, TRANSACTION_EVENTS_HUB: 't', EventHub }),
    /^EventHub has an EntityPath, which has to go/,
  );
  // A repetition would come to another process than the run that failed, whose messages would be taken for sent.
  for (const [name, value] of [
    ['FUNCTIONS_WORKER_PROCESS_COUNT', '2'],
    ['FUNCTIONS_WORKER_DYNAMIC_CONCURRENCY_ENABLED', 'True'],
  ] as const) {
    const several = { ...on, [name]: value };
    assert.deepEqual(complaints(several), []);
    assert.match(
      onlyComplaint({ ...several, TRANSACTION_EVENTS_HUB: 't' }),
      new RegExp(`^TRANSACTION_EVENTS_HUB is there, and ${name} lets`),
    );
  }
  const one = { FUNCTIONS_WORKER_PROCESS_COUNT: '1', FUNCTIONS_WORKER_DYNAMIC_CONCURRENCY_ENABLED: 'false' };
  assert.deepEqual(complaints({ ...on, ...one, TRANSACTION_EVENTS_HUB: 't' }), []);
});

test('the examples of the catalogue work together', () => {
  const examples = Object.entries(settingsCatalogue).map(([name, { example }]) => [name, example]);
  assert.deepEqual(complaints(Object.fromEntries(examples)), []);
});

test('white space around a value does not count, and nothing but it is nothing', () => {
  const { cosmos, rules } = readSettings({
    ...least,
    COSMOS_DATABASE: ' d\n',
    COSMOS_CONTAINER: ' ',
    REPLICA_EPOCH: ' 3 ',
  });
  assert.deepEqual([cosmos.database, cosmos.container, rules.epochs], ['d', 'rows', '3']);
  assert.match(onlyComplaint({ ...least, EVENT_HUB_NAME: ' \t' }), /^EVENT_HUB_NAME is missing/);
});

describe('what is missing is named, with what to put there', () => {
  const needed = [
    'EVENT_HUB_NAME',
    'EVENT_HUB_CONSUMER_GROUP',
    'COSMOS_ENDPOINT',
    'BLOB_ENDPOINT',
    'EventHub__fullyQualifiedNamespace',
  ] as const;
  for (const name of needed) {
    test(name, () => {
      const complaint = onlyComplaint({ ...least, [name]: undefined });
      assert.ok(complaint.startsWith(`${name} is missing`), complaint);
      assert.ok(complaint.endsWith(settingsCatalogue[name].put), complaint);
    });
  }

  test('a connection string stands in for the identity', () => {
    const { EventHub__fullyQualifiedNamespace: _, BLOB_ENDPOINT: __, ...rest } = least;
    assert.deepEqual(complaints({ ...rest, EventHub: 'Endpoint=sb://x', BLOB_CONNECTION_STRING: 'x' }), []);
  });

  test('every setting that the catalogue calls required is required', () => {
    for (const [name, { required }] of Object.entries(settingsCatalogue)) {
      if (required) assert.ok(onlyComplaint({ ...least, [name]: undefined }).startsWith(name));
    }
  });
});

describe('what is wrong is named, with what to put there', () => {
  const wrong: Partial<Record<SettingName, readonly string[]>> = {
    COSMOS_ENDPOINT: [
      'account.documents.azure.com',
      'ftp://x',
      'AccountEndpoint=https://x;AccountKey=y',
      'http//x',
    ],
    BLOB_ENDPOINT: ['account.blob.core.windows.net', 'UseDevelopmentStorage=true'],
    REPLICA_EPOCH: ['-1', '10000', '1.5', 'one', '0x10', '1e3', '٣'],
    HUB_RETENTION_DAYS: ['0', '91', '7 days', '-7'],
    TOMBSTONE_DAYS: ['0', '3651', 'forever', '8.5'],
    PARKED_HOURS: ['0', '87601', '1d', '1.5'],
    BATCH_DEADLINE_SECONDS: ['4', '3601', '2m', 'Infinity'],
  };
  for (const [name, values] of Object.entries(wrong) as [SettingName, readonly string[]][]) {
    for (const value of values) {
      test(`${name}=${value}`, () => {
        const complaint = onlyComplaint({ ...least, [name]: value });
        assert.match(complaint, new RegExp(`^${name} is not `));
        assert.ok(complaint.endsWith(settingsCatalogue[name].put), complaint);
      });
    }
  }

  test('the ends of every range are in it', () => {
    for (const [name, values] of Object.entries({
      REPLICA_EPOCH: ['0', '9999'],
      HUB_RETENTION_DAYS: ['1', '8'],
      TOMBSTONE_DAYS: ['7', '3650'],
      PARKED_HOURS: ['1', '191'],
      BATCH_DEADLINE_SECONDS: ['5', '3600'],
    })) {
      for (const value of values)
        assert.deepEqual(complaints({ ...least, [name]: value }), [], `${name}=${value}`);
    }
    assert.deepEqual(complaints({ ...least, HUB_RETENTION_DAYS: '90', TOMBSTONE_DAYS: '90' }), []);
    assert.deepEqual(
      complaints({ ...least, HUB_RETENTION_DAYS: '1', TOMBSTONE_DAYS: '1', PARKED_HOURS: '23' }),
      [],
    );
  });
});

// A delete that is forgotten before its hub forgets older changes would let these bring the row back.
test('a tombstone may not end before the hub forgets', () => {
  for (const days of [
    { HUB_RETENTION_DAYS: '10', TOMBSTONE_DAYS: '9' },
    { HUB_RETENTION_DAYS: '9' },
    { TOMBSTONE_DAYS: '6' },
  ]) {
    assert.match(
      onlyComplaint({ ...least, ...days }),
      /^TOMBSTONE_DAYS is \d+, less than the \d+ of HUB_RETENTION_DAYS/,
    );
  }
});

// An event that completes after a delete is forgotten could bring the row back.
test('an incomplete event may not wait as long as a tombstone lives', () => {
  for (const values of [
    { PARKED_HOURS: '192' },
    { PARKED_HOURS: '1000' },
    { HUB_RETENTION_DAYS: '1', TOMBSTONE_DAYS: '1' },
  ]) {
    assert.match(
      onlyComplaint({ ...least, ...values }),
      /^PARKED_HOURS is \d+, not less than the \d+ hours of TOMBSTONE_DAYS: put there how many hours/,
    );
  }
});

test('all complaints come at once', () => {
  const environment: Environment = {
    COSMOS_ENDPOINT: 'nowhere',
    REPLICA_EPOCH: 'x',
    HUB_RETENTION_DAYS: '20',
    BATCH_DEADLINE_SECONDS: '0',
    REPLICA_CONFIG: '{',
  };
  assert.deepEqual(
    complaints(environment)
      .map((line) => line.split(' ')[0])
      .sort(),
    [
      'BATCH_DEADLINE_SECONDS',
      'BLOB_ENDPOINT',
      'COSMOS_ENDPOINT',
      'EVENT_HUB_CONSUMER_GROUP',
      'EVENT_HUB_NAME',
      'EventHub__fullyQualifiedNamespace',
      'REPLICA_CONFIG',
      'REPLICA_EPOCH',
      'TOMBSTONE_DAYS',
    ],
  );
});

// Any value may be a secret that was pasted into the wrong place.
test('no complaint repeats a value', () => {
  for (const name of Object.keys(settingsCatalogue)) {
    for (const value of [
      'marker',
      '{"marker":"marker"}',
      '{"tables":{"t":{"updates":"marker"}}}',
      '{marker',
      '"marker"',
    ]) {
      for (const complaint of complaints({ ...least, [name]: value })) {
        // The name of an unknown property is no value: without it the place could not be found.
        assert.doesNotMatch(complaint.replaceAll('unknown property "marker"', ''), /marker/);
      }
    }
  }
});

test('telemetry is on with a connection string, which is checked; its identity counts only with it', () => {
  const connectionString = 'InstrumentationKey=00000000-0000-4000-8000-00000000000a';
  const name = 'APPLICATIONINSIGHTS_CONNECTION_STRING';
  const identity = 'APPLICATIONINSIGHTS_AUTHENTICATION_STRING';
  const telemetryOf = (settings: Record<string, string>) => readSettings({ ...least, ...settings }).telemetry;
  assert.deepEqual(telemetryOf({ [name]: connectionString }), { connectionString, identity: undefined });
  assert.deepEqual(telemetryOf({ [name]: connectionString, [identity]: 'ClientId=c;Authorization=AAD' }), {
    connectionString,
    identity: { clientId: 'c' },
  });
  assert.equal(telemetryOf({ [identity]: 'wrong' }), undefined);
  assert.throws(
    () => telemetryOf({ [name]: 'secret' }),
    (error: Error) => {
      assert.match(
        error.message,
        /^APPLICATIONINSIGHTS_CONNECTION_STRING is not a connection string: put there /,
      );
      assert.ok(!error.message.includes('secret'));
      return true;
    },
  );
  assert.throws(
    () => telemetryOf({ [name]: connectionString, [identity]: 'a=b' }),
    /does not say Authorization=AAD/,
  );
});

// Azure hands the text of a reference that it cannot resolve to the app: as a salt it would give all rows other ids.
test('a reference to a key vault is not taken for the secret', () => {
  const reference = '@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/mask-salt)';
  const complaint = onlyComplaint({ ...least, MASK_SALT: reference });
  assert.match(complaint, /^MASK_SALT is a Key Vault reference that was not resolved: put there /);
  assert.doesNotMatch(complaint, /vault\.example/);
});
