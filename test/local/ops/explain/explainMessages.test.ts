import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainMessages } from '../../../../local/ops/explain/explainMessages.ts';
import type { Explanation } from '../../../../local/ops/explain/explanation.ts';
import { replicate } from '../../../../src/pipeline.ts';
import type { ReplicaConfig } from '../../../../src/settings/configSchema.ts';
import { hasher } from '../../../../src/settings/masks.ts';
import { RuleBook } from '../../../../src/settings/ruleBook.ts';
import { avroMessage } from '../../../support/avroMessage.ts';
import { debeziumCase, schemaMessage } from '../../../support/debeziumMessage.ts';
import { hubMessages } from '../../../support/hubMessages.ts';
import { jsonMessage } from '../../../support/jsonMessage.ts';
import { splitMessages } from '../../../support/splitMessages.ts';
import { insertEvent } from '../../../support/testEvent.ts';
import { testServices, testSettings } from '../../../support/testServices.ts';

const SALT = 'a salt of the tests';
const settingsWith = (config: ReplicaConfig) => ({ ...testSettings, rules: new RuleBook(config, 0, SALT) });

function explain(bodies: readonly Buffer[], config: ReplicaConfig = {}): Explanation[] {
  const placed = bodies.map((body, number) => ({ place: `message ${number}`, body }));
  return explainMessages(placed, settingsWith(config));
}

function explainOne(body: Buffer, config: ReplicaConfig = {}): Explanation {
  const [explanation, ...others] = explain([body], config);
  assert.ok(explanation !== undefined && others.length === 0);
  return explanation;
}

const itemsOf = ({ outcome }: Explanation) => (outcome.kind === 'written' ? outcome.items : []);

describe('what would be written is what the app writes', () => {
  const old = '{"Id":"1","Name":"before"}';
  const events = {
    'an insert': insertEvent(1, 1),
    'an update': insertEvent(1, 2, { operation: 'UPD', old }),
    'a delete': insertEvent(1, 3, { operation: 'DEL', old, current: '{}' }),
    'a move to another key': insertEvent(2, 4, { operation: 'UPD', old }),
    'an odd value': insertEvent(1, 5, { current: '{"Id":"one","Name":null}' }),
  };
  const configs: readonly ReplicaConfig[] = [
    {},
    { tables: { 'shop.dbo.*': { deletes: 'soft', updates: 'replace', columns: { mask: { Id: 'hash' } } } } },
    {
      databases: { shop: { name: 'store', epoch: 3 } },
      tables: { '*.*.*': { deletes: 'ignore', columns: { rename: { Name: 'Title' }, include: [] } } },
    },
  ];
  for (const [what, event] of Object.entries(events)) {
    test(what, async () => {
      for (const config of configs) {
        for (const body of [jsonMessage(event), avroMessage(event)]) {
          const services = testServices({ settings: settingsWith(config) });
          await replicate(hubMessages([body]), services);
          const items = JSON.parse(JSON.stringify(itemsOf(explainOne(body, config))));
          assert.deepEqual(
            items.sort((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
            services.store.items(),
          );
        }
      }
    });
  }
});

test('every column has its type, what was sent, what is stored and what the configuration does', () => {
  const names = ['Id', 'kept', 'masked', 'renamed', 'excluded', 'typed', 'odd', 'unsent'];
  const event = insertEvent(7, 1, {
    operation: 'UPD',
    cols: names.map((name, index) => ({ name, type: index % 2 === 0 ? 'int' : 'nvarchar(9)', index })),
    old: '{"Id":"7","kept":null}',
    current:
      '{"Id":"7","kept":"k","masked":"12345","renamed":"r","excluded":"5","typed":"6","odd":"o","undeclared":"u"}',
  });
  const columns = {
    mask: { masked: { last: 2 }, nowhere: 'hash' },
    rename: { renamed: 'other' },
    exclude: ['excluded'],
    types: { typed: 'number' },
  } as const;
  const { columns: found, missingColumns } = explainOne(jsonMessage(event), {
    tables: { 'shop.dbo.Items': { columns: { ...columns, exclude: ['excluded'] } } },
  });
  assert.deepEqual(found, [
    { name: 'Id', sqlType: 'int', old: '7', current: '7', json: 7, treatment: 'key, kept' },
    { name: 'kept', sqlType: 'nvarchar(9)', old: null, current: 'k', json: 'k', treatment: 'kept' },
    { name: 'masked', sqlType: 'int', current: '12345', json: '****45', treatment: 'kept, masked' },
    { name: 'renamed', sqlType: 'nvarchar(9)', current: 'r', json: 'r', treatment: 'renamed to "other"' },
    { name: 'excluded', sqlType: 'int', current: '5', treatment: 'left out' },
    { name: 'typed', sqlType: 'nvarchar(9)', current: '6', json: 6, treatment: 'kept, as number' },
    {
      name: 'odd',
      sqlType: 'int',
      current: 'o',
      json: 'o',
      treatment: 'kept, not a value of its type: stays text',
    },
    { name: 'unsent', sqlType: 'nvarchar(9)', treatment: 'kept' },
    { name: 'undeclared', current: 'u', json: 'u', treatment: 'kept' },
  ]);
  assert.deepEqual(missingColumns, ['nowhere']);
});

test('a key that is masked, normalized or not listed is told as what it is', () => {
  const treatment = (table: NonNullable<ReplicaConfig['tables']>[string]) =>
    explainOne(
      jsonMessage(
        insertEvent(7, 1, { pkkey: [{ columnname: 'Name', value: 'N' }], current: '{"Id":"7","Name":"N"}' }),
      ),
      {
        tables: { 'shop.dbo.Items': table },
      },
    ).columns?.map((column) => column.treatment);
  assert.deepEqual(treatment({ columns: { mask: { Name: 'hash' } } }), [
    'kept',
    'key, kept, masked, a hash in the id',
  ]);
  assert.deepEqual(treatment({ normalize: { Name: ['ci'] } })?.[1], 'key, kept, normalized in the id');
  assert.deepEqual(treatment({ columns: { include: [] } }), ['left out: not in include', 'key, kept']);
});

test('a value that is not exactly what the configuration makes of its type is told to stay text', () => {
  const cols = [{ name: 'Id', type: 'bigint', index: 0 }];
  const message = jsonMessage(insertEvent(1, 1, { cols, current: '{"Id":"9223372036854775807"}' }));
  const treatment = explainOne(message, { types: { bigint: 'number' } }).columns?.[0]?.treatment;
  assert.equal(treatment, 'key, kept, as number, not exactly a number: stays text');
});

test('the table is told with what the configuration chooses for it', () => {
  const { table } = explainOne(jsonMessage(insertEvent(1, 1)), {
    databases: { shop: { name: 'old' } },
    tables: { 'old.*.*': { container: 'other', updates: 'replace', deletes: 'soft' } },
  });
  assert.deepEqual(table, {
    source: 'shop.dbo.Items',
    replica: 'old.dbo.Items',
    entries: ['old.*.*'],
    included: true,
    container: 'other',
    updates: 'replace',
    deletes: 'soft',
  });
});

// A table name with a mistake in it had no effect, and nothing said so.
test('that no entry is for the table is told, and which columns no entry means, whatever their case', () => {
  const of = (tables: NonNullable<ReplicaConfig['tables']>) =>
    explainOne(jsonMessage(insertEvent(1, 1)), { tables });
  assert.deepEqual(of({ 'shop.dbo.Item': {} }).table?.entries, []);
  const { table, columns, missingColumns } = of({
    'SHOP.dbo.items': { columns: { mask: { NAME: 'hash', nam: 'hash' } } },
  });
  assert.deepEqual(table?.entries, ['SHOP.dbo.items']);
  assert.equal(columns?.find(({ name }) => name === 'Name')?.treatment, 'kept, masked');
  assert.deepEqual(missingColumns, ['nam']);
});

test('the key is the one that the configuration names', () => {
  const keyed = { tables: { '*.*.*': { key: ['NAME'] } } };
  for (const pkkey of [[], [{ columnname: 'Id', value: '1' }]])
    assert.deepEqual(explainOne(jsonMessage(insertEvent(1, 1, { pkkey })), keyed).key, { Name: 'name 1' });
  assert.equal(explainOne(jsonMessage(insertEvent(1, 1, { pkkey: [] })), {}).key, undefined);
  const [first] = splitMessages(insertEvent(1, 1), { form: 'text', base: 0, cuts: [300] });
  const { table, key } = explainOne(first ?? assert.fail(), keyed);
  assert.deepEqual([table?.source, key], ['shop.dbo.Items', undefined]);
});

test('a row that does not fit even without its large values is told to be put aside', () => {
  // Half a surrogate pair cannot go to Blob storage.
  const current = JSON.stringify({ Id: '1', Name: `\ud800${'x'.repeat(20_000)}` });
  const { outcome } = explainOne(jsonMessage(insertEvent(1, 1, { current })), {
    tables: { '*.*.*': { itemBytes: 16_384 } },
  });
  assert.equal(outcome.kind === 'dead-letter' && outcome.code, 'item-too-large');
});

test('hashes are made with the salt', () => {
  const [item] = itemsOf(
    explainOne(jsonMessage(insertEvent(1, 1)), {
      tables: { '*.*.*': { columns: { mask: { Name: 'hash' } } } },
    }),
  );
  assert.equal(item?.row?.['Name'], hasher(SALT)('name 1'));
});

describe('segments', () => {
  const event = insertEvent(1, 1);
  const [first, second, last] = splitMessages(event, { form: 'text', base: 1, cuts: [350, 400] });
  assert.ok(first && second && last);

  test('that are all there are one change', () => {
    const [explanation, ...others] = explain([last, first, second, first]);
    assert.equal(others.length, 0);
    assert.deepEqual(explanation?.event?.segments, [1, 2, 3]);
    assert.equal(explanation?.event?.missing, undefined);
    assert.equal(itemsOf(explanation ?? assert.fail())[0]?.id, 'shop.dbo.Items:1');
    assert.deepEqual(
      explanation?.messages.map(({ place, copy }) => [place, copy]),
      [
        ['message 0', undefined],
        ['message 1', undefined],
        ['message 2', undefined],
        ['message 3', true],
      ],
    );
  });

  test('of which some are missing are parked, and tell what the first of them knows', () => {
    const { event: found, table, key, outcome } = explain([first, last])[0] ?? assert.fail();
    assert.equal(outcome.kind, 'parked');
    assert.match(found?.missing ?? '', /missing: 0, if there is one and 2$/);
    assert.deepEqual([table?.source, key], ['shop.dbo.Items', { Id: '1' }]);
    const [without] = explain([last]);
    assert.deepEqual([without?.outcome.kind, without?.table], ['parked', undefined]);
  });

  test('that contradict each other are put aside', () => {
    const other = jsonMessage(event, { segmentindex: 2, finalsegment: false, data: 'other' });
    const explanations = explain([first, second, other, last]);
    assert.deepEqual(
      explanations.map(({ outcome }) => (outcome.kind === 'dead-letter' ? outcome.code : outcome.kind)),
      ['written', 'segment-conflict'],
    );
  });
});

describe('what is not written', () => {
  test('a table or a delete that the configuration leaves out', () => {
    const remove = insertEvent(1, 1, { operation: 'DEL', old: '{"Id":"1"}', current: '{}' });
    const table = explainOne(jsonMessage(insertEvent(1, 1)), { tables: { 'shop.*.*': { include: false } } });
    assert.equal(table.outcome.kind, 'excluded');
    assert.ok(table.columns?.every(({ json, treatment }) => json === undefined && treatment === 'left out'));
    const ignored = explainOne(jsonMessage(remove), { tables: { 'shop.*.*': { deletes: 'ignore' } } });
    assert.equal(ignored.outcome.kind, 'excluded');
  });

  for (const [code, body, config] of [
    ['unknown-format', Buffer.from('junk'), {}],
    ['invalid-json', jsonMessage(insertEvent(1, 1)).subarray(0, 300), {}],
    ['wrong-type', jsonMessage(insertEvent(1, 1), { data: '[]' }), {}],
    ['no-key', jsonMessage(insertEvent(1, 1, { pkkey: [] })), {}],
    ['key-excluded', jsonMessage(insertEvent(1, 1)), { columns: { exclude: ['Id'] } }],
    ['column-conflict', jsonMessage(insertEvent(1, 1)), { columns: { rename: { Name: 'Id' } } }],
    [
      'item-too-large',
      jsonMessage(insertEvent(1, 1, { current: JSON.stringify({ Id: '1', Name: 'x'.repeat(20_000) }) })),
      { largeValues: 'dead-letter', itemBytes: 16_384 },
    ],
  ] as const) {
    test(`${code}, with its meaning and what to do`, () => {
      const { outcome } = explainOne(body, {
        tables: { 'shop.dbo.Items': config as NonNullable<ReplicaConfig['tables']>[string] },
      });
      assert.equal(outcome.kind === 'dead-letter' && outcome.code, code);
      assert.ok(outcome.kind === 'dead-letter' && outcome.meaning !== '' && outcome.action !== '');
    });
  }
});

test('explanations come in the order of the messages', () => {
  const bodies = [jsonMessage(insertEvent(1, 1)), Buffer.from('junk'), jsonMessage(insertEvent(2, 2))];
  assert.deepEqual(
    explain(bodies).map(({ messages }) => messages[0]?.place),
    ['message 0', 'message 1', 'message 2'],
  );
});

test('messages of Debezium are explained like others, in their place', () => {
  const key = { tables: { 'shop.dbo.Items': { key: ['Id'] } } };
  const change = schemaMessage([
    ['Id', { type: 'int32' }, '1'],
    ['Name', { type: 'string' }, '"a"'],
  ]);
  const [boundary, ces, debezium] = explain(
    [debeziumCase('transaction-begin.json'), jsonMessage(insertEvent(2, 1)), change],
    key,
  );
  assert.deepEqual(boundary?.outcome, { kind: 'excluded', reason: 'it says nothing of a row' });
  assert.ok(ces !== undefined && debezium !== undefined);
  assert.deepEqual(
    [ces, debezium].flatMap(itemsOf).map(({ id }) => id),
    ['shop.dbo.Items:2', 'shop.dbo.Items:1'],
  );
  assert.equal(debezium.version, '0000:0000002C00000300017C:0000002C000003000178-0000000001');
  assert.deepEqual(
    debezium.columns?.map(({ name }) => name),
    ['Id', 'Name'],
  );
  const [without] = explain([change]);
  assert.equal(without?.outcome.kind, 'dead-letter');
});
