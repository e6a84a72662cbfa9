import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRequest } from '../../../../local/ops/parseRequest.ts';
import { UserError } from '../../../../local/run/userError.ts';

const required = ['--dialect', 'azure-sql', '--database', 'shop', '--table', 'dbo.Orders'];
const parse = (...args: readonly string[]) => parseRequest(['sql', ...required, ...args]);
const source = {
  dialect: 'azure-sql',
  database: 'shop',
  group: 'ces-replica',
  tables: [{ schema: 'dbo', table: 'Orders' }],
};

describe('what can be asked for', () => {
  it('to set it up', () => {
    assert.deepEqual(parse(), {
      kind: 'sql',
      json: false,
      wanted: {
        kind: 'set-up',
        ...source,
        credential: 'ces-replica',
        authentication: { kind: 'entra' },
        partitioning: { scheme: 'Table' },
        encoding: 'JSON',
        messageKb: 256,
        changedColumnsOnly: false,
      },
    });
  });

  it('the rest', () => {
    const { wanted } = { wanted: undefined, ...parse('--seed', '--seed-rows', '5', '--seed-column', 'x') };
    assert.deepEqual(wanted, { kind: 'seed', ...source, column: 'x', number: 1, rows: 5 });
    assert.deepEqual(parse('--seed-end', '--json', '--settings', 'a.json'), {
      kind: 'sql',
      json: true,
      settings: 'a.json',
      wanted: { kind: 'seed-end', ...source, column: 'ces_seed' },
    });
    assert.deepEqual(parse('--disable', '--group', 'g'), {
      kind: 'sql',
      json: false,
      wanted: { kind: 'disable', ...source, group: 'g' },
    });
  });
});

describe('what makes no sense is told in one line', () => {
  const cases: Readonly<Record<string, readonly [args: readonly string[], message: RegExp]>> = {
    'another dialect': [['--dialect', 'oracle'], /--dialect <name>' argument 'oracle' is invalid/],
    'the protocol that ends': [['--dialect', 'AzureEventHubsAmqp'], /is invalid/],
    'a period in a table': [['--table', 'dbo.[a.b]'], /CES does not stream dbo\.\[a\.b\]/],
    'a table twice': [['--table', '[dbo].[Orders]'], /dbo\.Orders is there twice/],
    'no name of a table': [['--table', 'Orders'], /is not a table such as/],
    'Entra in Fabric': [
      ['--dialect', 'fabric-sql', '--auth', 'entra'],
      /cannot sign in with Microsoft Entra/,
    ],
    'Fabric without a policy': [['--dialect', 'fabric-sql'], /--policy: name the shared access policy/],
    'a key without a policy': [['--auth', 'key'], /--policy: name/],
    'a namespace to seed': [['--seed', '--namespace', 'shop'], /--namespace goes with the set-up only/],
    'a hub to end the seed': [['--seed-end', '--hub', 'ces'], /--hub goes with the set-up only/],
    'a hub to turn it off': [['--disable', '--hub', 'ces'], /--hub goes with the set-up only/],
    'a policy without a key': [['--policy', 'send'], /--policy goes with --auth key only/],
    'a scheme without its column': [['--partition-scheme', 'Column'], /--partition-column: the scheme/],
    'a column without its scheme': [['--partition-column', 'x'], /goes with --partition-scheme Column only/],
    'messages too large': [['--message-kb', '1025'], /--message-kb: '1025' is not a whole number from 128/],
    'a seed of too many rows': [['--seed', '--seed-rows', '5000'], /from 1 to 4000/],
    'a seed that seeds nothing': [
      ['--seed', '--changed-columns-only'],
      /--seed: with --changed-columns-only/,
    ],
    'two things at once': [['--seed', '--disable'], /cannot be used with/],
    'a host that is none': [['--namespace', 'https://x'], /--namespace: 'https:\/\/x' is neither/],
    'a hub that is none': [['--hub', "a'b"], /--hub: 'a'b' is not the name/],
    'a variable of sqlcmd': [['--group', '$(x)'], /has \$\(/],
    'too much': [['more'], /too many arguments/],
  };
  for (const [what, [args, message]] of Object.entries(cases)) {
    it(what, () => {
      assert.throws(
        () => parse(...args),
        (error) => {
          assert.ok(error instanceof UserError);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /\n/);
          return true;
        },
      );
    });
  }

  it('no table at all', () => {
    assert.throws(
      () => parseRequest(['sql', '--dialect', 'azure-sql', '--database', 'x']),
      /required option '--table/,
    );
  });
});
