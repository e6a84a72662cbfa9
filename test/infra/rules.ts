import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileText, field, infraText, snapshotOf, withoutBicep } from '../support/bicep.ts';
import { filledIn } from './deployments.ts';

const dev = infraText('dev.bicepparam');
const production = filledIn('production.bicepparam');

/** A change to a parameter file that is refused, and what the refusal says. */
interface Wrong {
  readonly what: string;
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly says: RegExp;
}

/** What does not go together: seen when the templates are evaluated, before anything is created. */
const CONTRADICTIONS: readonly Wrong[] = [
  {
    what: 'deletes are forgotten when the hub forgets',
    text: dev,
    from: 'tombstoneDays: 2',
    to: 'tombstoneDays: 1',
    says: /replica\.tombstoneDays is 1: make it more than eventHub\.retentionDays, 1/,
  },
  {
    what: 'events wait longer than deletes are remembered',
    text: dev,
    from: 'parkedHours: 6',
    to: 'parkedHours: 48',
    says: /replica\.parkedHours is 48: make it less than the 48 hours/,
  },
  {
    what: 'more instances than partitions',
    text: dev,
    from: 'maximumInstances: 4',
    to: 'maximumInstances: 41',
    says: /app\.maximumInstances is 41: make it no more than eventHub\.partitions, 4, or 40/,
  },
  {
    what: 'more instances ready than there can be',
    text: production,
    from: 'alwaysReady: { replicate: 1 }',
    to: 'alwaysReady: { replicate: 17 }',
    says: /app\.alwaysReady\.replicate is 17/,
  },
  {
    what: 'a namespace that would grow to less than it has',
    text: production.replace('capacity: 1\n', 'capacity: 20\n'),
    from: 'maximumCapacity: 10',
    to: 'maximumCapacity: 11',
    says: /eventHub\.maximumCapacity is 11: make it no less than eventHub\.capacity, 20/,
  },
  {
    what: 'a private network that CES cannot reach',
    // As it is delivered: nobody may forget what only they know.
    text: infraText('production.bicepparam'),
    from: 'allowedIpRanges: []',
    to: 'allowedIpRanges: []',
    says: /eventHub\.allowedIpRanges is empty/,
  },
  ...['192.0.2.0/24', '203.0.113.7'].map((range) => ({
    what: `${range}, an address that only examples have`,
    text: production,
    from: '20.0.113.0/29',
    to: range,
    says: /eventHub\.allowedIpRanges has .*, which is for examples/,
  })),
  {
    what: 'masks without a salt',
    text: dev,
    from: 'parkedHours: 6',
    to: "parkedHours: 6, config: { tables: { 'db.dbo.T': { columns: { mask: { a: 'hash' } } } } }",
    says: /maskSaltUri is empty, and replica\.config masks columns of db\.dbo\.T/,
  },
  {
    what: 'a salt in the clear',
    text: dev,
    from: "param name = 'replica-dev'",
    to: "param name = 'replica-dev'\nparam maskSaltUri = '0123456789abcdef'",
    says: /maskSaltUri is not the address of a secret/,
  },
  {
    what: 'choices for a table without its database',
    text: dev,
    from: 'parkedHours: 6',
    to: "parkedHours: 6, config: { tables: { 'dbo.T': { include: false } } }",
    says: /replica\.config\.tables has dbo\.T: write database\.schema\.table/,
  },
  // A name, one digit less, and a letter that is no digit.
  ...['my-sql-server', '1111111-2222-3333-4444-555555555555', '1111111g-2222-3333-4444-555555555555'].map(
    (id, index) => {
      const parameter = index === 1 ? 'operatorPrincipalId' : 'senderPrincipalId';
      return {
        what: `${parameter} ${id}, which is no object id`,
        text: dev,
        from: "param name = 'replica-dev'",
        to: `param name = 'replica-dev'\nparam ${parameter} = '${id}'`,
        says: new RegExp(`${parameter} is ${id}: put the object id there`),
      };
    },
  ),
  {
    what: 'an address that is none',
    text: production,
    from: '20.0.113.0/29',
    to: '20.0.113.300',
    says: /CIDR '20\.0\.113\.300' is not valid/,
  },
  {
    what: 'an address that the firewall of the hub does not know',
    text: production,
    from: '20.0.113.0/29',
    to: '2001:db8::/32',
    says: /eventHub\.allowedIpRanges has 2001:db8::\/32/,
  },
  {
    what: 'a network without room for both subnets',
    text: production,
    from: 'privateNetworking = true',
    to: "privateNetworking = true\nparam networkAddresses = '10.0.0.0/24'",
    says: /networkAddresses is 10\.0\.0\.0\/24/,
  },
  {
    what: 'a public network that locks the app out',
    text: production,
    from: 'privateNetworking = true',
    to: 'privateNetworking = false',
    says: /eventHub\.allowedIpRanges would lock the app out/,
  },
  {
    what: 'throughput that autoscale does not know',
    text: production,
    from: 'maxThroughput: 10000',
    to: 'maxThroughput: 10500',
    says: /cosmos\.maxThroughput is 10500: make it a multiple of 1000/,
  },
  {
    what: 'an index on what is not a column',
    text: production,
    from: 'maxThroughput: 10000',
    to: "maxThroughput: 10000, indexedPaths: ['/row/name']",
    says: /cosmos\.indexedPaths must all be like/,
  },
  // Event Hubs, Log Analytics and Cosmos DB would refuse these one after the other, in the middle of a deployment.
  ...['Replica', 'replica-', 'replica--dev'].map((name) => ({
    what: `the name ${name}, which some service does not accept`,
    text: dev,
    from: "'replica-dev'",
    to: `'${name}'`,
    says: /use lower-case letters, digits and single hyphens/,
  })),
];

/** What cannot be written: refused by the compiler. */
const IMPOSSIBLE: readonly Wrong[] = [
  {
    what: 'a name that is too short for a Log Analytics workspace',
    text: dev,
    from: "'replica-dev'",
    to: "'dev'",
    says: /minimum allowable length is 4/,
  },
  {
    what: 'a function that does not exist is ready',
    text: production,
    from: 'alwaysReady: { replicate: 1 }',
    to: 'alwaysReady: { replicat: 1 }',
    says: /replicat/,
  },
  {
    what: 'throughput without autoscale',
    text: dev,
    from: "capacity: 'serverless'",
    to: "capacity: 'serverless', maxThroughput: 4000",
    says: /maxThroughput/,
  },
  {
    what: 'a longer retention than Standard has',
    text: dev,
    from: 'retentionDays: 1',
    to: 'retentionDays: 8',
    says: /maximum allowable value is 7/,
  },
  {
    what: 'a hub without Kafka',
    text: dev,
    from: "sku: 'Standard'",
    to: "sku: 'Basic'",
    says: /"Premium" \| "Standard"|'Premium' \| 'Standard'/,
  },
  {
    what: 'memory that no instance has',
    text: dev,
    from: 'instanceMemoryMB: 2048',
    to: 'instanceMemoryMB: 1024',
    says: /instanceMemoryMB.*2048 \| 4096 \| 512/,
  },
  {
    what: 'a choice for a table that does not exist',
    text: dev,
    from: 'parkedHours: 6',
    to: "parkedHours: 6, config: { tables: { 'db.dbo.T': { update: 'replace' } } }",
    says: /"update" is not allowed/,
  },
];

for (const { what, text, from, to, says } of CONTRADICTIONS) {
  test(`refused: ${what}`, { skip: withoutBicep() }, async () => {
    await assert.rejects(snapshotOf(changed(text, from, to)), (error) => {
      // All names depend on this variable: nothing has been created by then.
      assert.match(String(error), /The template variable 'checked' is not valid/);
      assert.match(String(error), says);
      return true;
    });
  });
}

for (const { what, text, from, to, says } of IMPOSSIBLE) {
  test(`refused: ${what}`, { skip: withoutBicep() }, async () => {
    const { template, diagnostics } = await compileText(changed(text, from, to));
    assert.equal(template, undefined);
    assert.match(diagnostics, says);
  });
}

function changed(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), `the parameter file no longer has ${from}`);
  return text.replace(from, to);
}

test('accepted: settings at their limits', { skip: withoutBicep() }, async () => {
  const text = production
    .replace('tombstoneDays: 14', 'tombstoneDays: 8')
    .replace(
      'parkedHours: 48',
      "parkedHours: 191, config: { tables: { 'db.dbo.T': { updates: 'replace' } } }",
    )
    .replace('alwaysReady: { replicate: 1 }', 'alwaysReady: { replicate: 16, sweep: 1 }')
    .replace('maximumCapacity: 10', 'maximumCapacity: 1')
    .replace('maxThroughput: 10000', "maxThroughput: 1000, indexedPaths: ['/row/customer_id/?', '/key/*']");
  const { resources } = await snapshotOf(text);
  assert.match(JSON.stringify(resources), /"\/row\/customer_id\/\?"/);
  assert.match(JSON.stringify(resources), /db\.dbo\.T/);
});

test('accepted: a premium namespace', { skip: withoutBicep() }, async () => {
  const premium = dev
    .replace("sku: 'Standard'", "sku: 'Premium'")
    .replace('partitions: 4', 'partitions: 100')
    .replace('retentionDays: 1', 'retentionDays: 90')
    .replace('tombstoneDays: 2', 'tombstoneDays: 91');
  const { resources } = await snapshotOf(premium);
  const namespace = resources.find(({ type }) => type === 'Microsoft.EventHub/namespaces');
  assert.deepEqual(field(namespace, 'sku'), { name: 'Premium', tier: 'Premium', capacity: 1 });
  assert.equal(field(namespace, 'properties.isAutoInflateEnabled'), false);
});

// In regions where Flex Consumption takes no smaller number, a hub of up to 32 partitions could not be had at all.
test('40 instances are accepted with fewer partitions', { skip: withoutBicep() }, async () => {
  const { resources } = await snapshotOf(changed(dev, 'maximumInstances: 4', 'maximumInstances: 40'));
  const app = resources.find(({ type }) => type === 'Microsoft.Web/sites');
  const most = field(app, 'properties.functionAppConfig.scaleAndConcurrency.maximumInstanceCount');
  assert.equal(most, 40);
});

// A module is evaluated when it is its turn: what is wrong in it would end a deployment that has begun.
test('every rule is checked in main.bicep, in the variable that its names are made of', () => {
  const main = infraText('main.bicep');
  const checks = /^var checked = \{\n([\s\S]*?)^\}/m.exec(main)?.[1] ?? '';
  const rules = [...infraText('rules.bicep').matchAll(/@export\(\)\n(?:@.*\n)?func (\w+)/g)];
  assert.ok(rules.length >= 13);
  for (const [, rule = ''] of rules) assert.ok(checks.includes(`${rule}(`), rule);
  assert.doesNotMatch(main.replace(checks, ''), /^\s*name: name$|checked[A-Z]\w*\(/m);
});

test('accepted: the lines that users take the comment from', { skip: withoutBicep() }, async () => {
  const id = '11111111-2222-3333-4444-555555555555';
  for (const text of [dev, production]) {
    const lines = text.replaceAll(/^( *)\/\/ (param \w+ = |allowKeys: )/gm, '$1$2');
    const filled = lines.replaceAll('<object id>', id).replaceAll('<address>', 'team@example.org');
    assert.equal((await compileText(filled)).diagnostics, '');
    const { resources, outputs } = await snapshotOf(filled);
    assert.equal(outputs['senderPolicy'], 'ces');
    assert.match(JSON.stringify(resources), /"emailAddress":"team@example\.org"/);
    const roles = resources.filter(
      ({ type, properties }) => /roleAssignments$/i.test(type) && field(properties, 'principalId') === id,
    );
    // The sender's; the operator's on three containers and in Cosmos DB.
    assert.equal(roles.length, 5);
  }
});

test('accepted: the example of docs/deploy.md', { skip: withoutBicep() }, async () => {
  const page = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
  const example = /^```bicep\n([\s\S]*?)^```/m.exec(page)?.[1] ?? assert.fail('no example');
  const text = dev.replace(/^param replica = \{[\s\S]*?^\}\n/m, example);
  assert.ok(text.includes(example));
  assert.equal((await compileText(text)).diagnostics, '');
  const { resources } = await snapshotOf(text);
  assert.match(JSON.stringify(resources.map(({ name }) => name)), /\/replica\/customers"/);
});
