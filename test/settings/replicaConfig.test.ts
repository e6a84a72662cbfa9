import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { readReplicaConfig } from '../../src/settings/replicaConfig.ts';

const document = '{"tables":{"db1.dbo.Orders":{"updates":"replace"},"db1.dbo.Lines":{}}}';
const config = { tables: { 'db1.dbo.Orders': { updates: 'replace' }, 'db1.dbo.Lines': {} } };

const refused = (setting: string, message: RegExp) =>
  assert.throws(
    () => readReplicaConfig(setting),
    (error) => {
      assert.ok(error instanceof ConfigurationError, String(error));
      assert.match(error.message, /^REPLICA_CONFIG /);
      assert.match(error.message, message);
      return true;
    },
  );

describe('as a document', () => {
  test('it is read', () => {
    assert.deepEqual(readReplicaConfig(document), config);
    assert.deepEqual(readReplicaConfig(` \n${document}\n`), config);
    assert.deepEqual(readReplicaConfig('{}'), {});
    assert.deepEqual(readReplicaConfig('{"tables":{}}'), { tables: {} });
  });

  test('it has to be JSON', () => {
    refused('{', /is not JSON/);
    refused("{'tables':{}}", /is not JSON/);
    refused(`${document},`, /is not JSON/);
    refused('{\n  "tables": {},\n}', /is not JSON \(line 3 column 1\): put a document like/);
  });

  test('a byte order mark in front does no harm', () => {
    assert.deepEqual(readReplicaConfig(`\uFEFF${document}`), config);
  });

  // JSON.parse takes the last one: the mask of the first was dropped, and values went out in the clear.
  test('a table or option that stands there twice is refused', () => {
    const mask = '{"columns":{"mask":{"b":"hash"}}}';
    refused(`{"tables":{"a.b.c":${mask},"a.b.c":{}}}`, /has \$\.tables\.a\.b\.c twice/);
    refused(
      '{"tables":{"a.b.c":{"updates":"merge","updates":"merge"}}}',
      /has \$\.tables\.a\.b\.c\.updates twice/,
    );
  });

  test('a mask that is none is told which there are', () => {
    for (const mask of ['"Hash"', '{"fixt":"x"}', '{}'])
      refused(
        `{"tables":{"a.b.c":{"columns":{"mask":{"d":${mask}}}}}}`,
        /\$\.tables\.a\.b\.c\.columns\.mask\.d: is not "hash", \{"fixed"/,
      );
  });

  test('two columns cannot get one name', () => {
    refused(
      '{"tables":{"a.b.c":{"columns":{"rename":{"d":"x","e":"x"}}}}}',
      /columns\.rename: gives two columns the same name/,
    );
  });

  test('a wrong value is named by its path', () => {
    refused('{"tables":{"db1.dbo.Orders":{"updates":"append"}}}', /\$\.tables\.db1\.dbo\.Orders\.updates: /);
    refused('{"tables":{"db1.dbo.Orders":{"updates":null}}}', /\$\.tables\.db1\.dbo\.Orders\.updates: /);
    refused('{"tables":{"db1.dbo.Orders":"replace"}}', /\$\.tables\.db1\.dbo\.Orders: /);
    refused('{"tables":[]}', /\$\.tables: /);
  });

  test('a wrong value is told what may stand there', () => {
    refused('{"tables":{"d.s.t":{"updates":"append"}}}', /"merge"\|"replace"/);
  });

  test('an unknown property is named by its path', () => {
    refused('{"table":{}}', /\$: .*"table"/);
    refused('{"tables":{"db1.dbo.Orders":{"update":"merge"}}}', /\$\.tables\.db1\.dbo\.Orders: .*"update"/);
  });

  test('all that is wrong comes at once', () => {
    refused(
      '{"a":1,"tables":{"d.s.t":{"updates":1},"d.s.u":{"b":1}}}',
      /\$\.tables\.d\.s\.t\.updates: .*; .*\$\.tables\.d\.s\.u: .*"b".*; .*\$: .*"a"/,
    );
  });
});

describe('what was most likely meant is suggested', () => {
  const cases: readonly (readonly [document: string, message: RegExp])[] = [
    ['{"table":{}}', /^REPLICA_CONFIG is not valid: \$: unknown property "table", did you mean "tables"\?$/],
    ['{"tables":{"d.s.t":{"update":"merge"}}}', /\$\.tables\.d\.s\.t: .*did you mean "updates"\?/],
    ['{"tables":{"d.s.t":{"columns":{"exlude":[]}}}}', /t\.columns: .*did you mean "exclude"\?/],
    ['{"databases":{"now":{"nam":"x"}}}', /\$\.databases\.now: .*did you mean "name"\?/],
    ['{"types":{"nvarchr":"text"}}', /\$\.types\.nvarchr: unknown type, did you mean "nvarchar"\?/],
    [
      '{"tables":{"d.s.t":{"types":{"date":"number"}}}}',
      /\$\.tables\.d\.s\.t\.types\.date: no value of date/,
    ],
    [
      '{"something":1}',
      /\$: unknown property "something", not one of \$schema, types, databases, debezium, tables$/,
    ],
    [
      '{"tables":{"d.s.t":{"mask":{}}}}',
      /\$\.tables\.d\.s\.t: unknown property "mask", put it under "columns"$/,
    ],
    // It was told to be `include`, which leaves out all other columns, or the table.
    ['{"tables":{"d.s.t":{"exclude":["a"]}}}', /unknown property "exclude", put it under "columns"$/],
    [
      '{"tables":{"d.s.t":{"columns":{"key":["a"]}}}}',
      /unknown property "key", put it beside "columns", not under it$/,
    ],
    ['{"tables":{"d.s.t":{"constructor":1}}}', /unknown property "constructor", not one of include, /],
  ];
  for (const [wrong, message] of cases) test(wrong, () => refused(wrong, message));
});

describe('a value that cannot be meant is refused where it stands', () => {
  const cases: readonly (readonly [table: string, message: RegExp])[] = [
    ['{"key":[]}', /\.key: /],
    ['{"key":["a","b","a"]}', /\.key: names a column twice/],
    ['{"key":["a"],"columns":{"exclude":["b","a"]}}', /\.columns\.exclude: has columns of the key, which /],
    ['{"key":["a"],"columns":{"exclude":["A"]}}', /\.columns\.exclude: has columns of the key, which /],
    ['{"key":"a"}', /\.key: has to be a list, \["a", "b"\]$/],
    ['{"include":["a"]}', /\.include: has to be true or false; columns to include stand under "columns"$/],
    ['{"columns":{"mask":["a"]}}', /\.columns\.mask: has to be an object, /],
    ['{"key":[""]}', /\.key\.0: /],
    ['{"normalize":{"a":["nocase"]}}', /\.normalize\.a\.0: .*"ci"\|"rtrim"\|"guid"/],
    ['{"normalize":{"a":[]}}', /\.normalize\.a: /],
    ['{"container":"a/b"}', /\.container: is not the name of a container/],
    ['{"columns":{"mask":{"a":"hsh"}}}', /\.columns\.mask\.a: is not "hash", \{"fixed": "<text>"\} or /],
    ['{"columns":{"mask":{"a":{"last":0}}}}', /\.columns\.mask\.a/],
    ['{"columns":{"types":{"a":"string"}}}', /\.columns\.types\.a: .*"number"\|"text"\|"boolean"/],
    ['{"types":{"decimal(18,2)":"number"}}', /\.types\.decimal\(18,2\): is not the name of an SQL type/],
    ['{"types":{"BIGINT":"number"}}', /\.types\.BIGINT: is not the name of an SQL type in lower case/],
  ];
  for (const [table, message] of cases)
    test(table, () =>
      refused(`{"tables":{"d.s.t":${table}}}`, new RegExp(`\\$\\.tables\\.d\\.s\\.t${message.source}`)),
    );

  test('a name that is not three parts', () =>
    refused('{"tables":{"s.t":{}}}', /\$\.tables\.s\.t: is not database/));
  test('an epoch above four digits', () => refused('{"databases":{"d":{"epoch":10000}}}', /\.d\.epoch: /));
  // The schema drops it without a word, and with it perhaps a mask.
  test('__proto__', () =>
    refused('{"tables":{"d.s.t":{"columns":{"mask":{"__proto__":"hash"}}}}}', /"__proto__"/));
});

describe('as a file', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'replica-config-'));
  });
  after(() => rm(folder, { recursive: true }));
  const fileWith = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };

  test('it is read', async () => {
    assert.deepEqual(readReplicaConfig(await fileWith('good.json', document)), config);
  });

  test('a byte order mark does not count', async () => {
    assert.deepEqual(readReplicaConfig(await fileWith('marked.json', `\ufeff${document}`)), config);
  });

  test('it has to be JSON, and of the right form', async () => {
    refused(await fileWith('broken.json', '{'), /is not JSON/);
    refused(await fileWith('list.json', '[]'), /\$: /);
    refused(
      await fileWith('wrong.json', '{"tables":{"d.s.t":{"updates":1}}}'),
      /\$\.tables\.d\.s\.t\.updates: /,
    );
  });

  test('it has to be there', () => {
    refused(join(folder, 'nowhere.json'), /cannot be read \(ENOENT\)/);
    refused(folder, /cannot be read \(EISDIR\)/);
  });

  // A connection string pasted into the wrong setting is taken for a path.
  test('its path is not repeated', () => {
    assert.throws(
      () => readReplicaConfig('AccountKey=marker'),
      (error) => error instanceof ConfigurationError && !error.message.includes('marker'),
    );
  });
});
