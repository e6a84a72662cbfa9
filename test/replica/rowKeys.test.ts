import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DataError } from '../../src/errors/dataError.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { isSuperseded } from '../../src/replica/isSuperseded.ts';
import { join } from '../../src/replica/join.ts';
import { toReplicaItem } from '../../src/replica/replicaItem.ts';
import { type RowChange, rowChanges } from '../../src/replica/rowChanges.ts';
import { isDeleted } from '../../src/replica/rowState.ts';
import type { TableRules } from '../../src/replica/tableRules.ts';
import { configSchema } from '../../src/settings/configSchema.ts';
import { hasher } from '../../src/settings/masks.ts';
import { normalizer } from '../../src/settings/normalize.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { adversarialText } from '../support/adversarialText.ts';
import { type ChangeParts, changeOf, purchases } from './changeOf.ts';

const SALT = 'a salt of the tests';
const TTL_S = 60;

/** The rules of the table of {@link changeOf}, as a document has them. */
function rulesOf(choices: object): TableRules {
  const config = configSchema.parse({ tables: { 'db1.dbo.Purchases': choices } });
  return new RuleBook(config, 0, SALT).of(purchases);
}

const idOf = (...key: string[]) => documentId(purchases, key);

function rowsOf(parts: ChangeParts, rules: TableRules): readonly RowChange[] {
  return rowChanges(changeOf(parts), rules).rows;
}

function idsOf(parts: ChangeParts, rules: TableRules): readonly string[] {
  return rowsOf(parts, rules).map(({ id }) => id);
}

function refusal(parts: ChangeParts, rules: TableRules, code: ReasonCode): string {
  try {
    rowsOf(parts, rules);
  } catch (error) {
    assert.ok(error instanceof DataError);
    assert.equal(error.code, code);
    assert.doesNotMatch(error.message, /marker/);
    return error.message;
  }
  assert.fail('it was taken');
}

describe('a key that REPLICA_CONFIG names', () => {
  const rules = rulesOf({ key: ['b', 'a'] });
  const types = [
    ['a', 'int'],
    ['b', 'nvarchar(9)'],
    ['c', 'nvarchar(9)'],
  ] as const;
  const keyless: Pick<ChangeParts, 'key' | 'types'> = { key: [], types };
  const before = [
    ['a', '1'],
    ['b', 'x'],
    ['c', 'old'],
  ] as const;
  const after = [
    ['a', '1'],
    ['b', 'x'],
    ['c', 'new'],
  ] as const;

  test('may be written in another case, unless two columns differ in nothing else', () => {
    const upper = rulesOf({ key: ['B', 'A'] });
    const [row] = rowsOf({ ...keyless, operation: 'UPD', old: before, current: after }, upper);
    assert.equal(row?.id, idOf('x', '1'));
    assert.deepEqual(Object.keys(row.state.newest.key), ['b', 'a']);
    const both: ChangeParts = {
      operation: 'INS',
      key: [],
      types: [
        ['a', 'int'],
        ['A', 'int'],
        ['b', 'int'],
      ],
      current: [
        ['a', '1'],
        ['A', '2'],
        ['b', '3'],
      ],
    };
    assert.deepEqual(idsOf(both, upper), [idOf('3', '2')]);
    assert.deepEqual(idsOf(both, rules), [idOf('3', '1')]);
  });

  test('identifies the rows of a table without a primary key, in its own order', () => {
    for (const parts of [
      { operation: 'INS', current: after },
      { operation: 'UPD', old: before, current: after },
      { operation: 'UPD', current: after },
      { operation: 'DEL', old: before },
    ] as const) {
      const [row, ...others] = rowsOf({ ...keyless, ...parts }, rules);
      assert.equal(row?.id, idOf('x', '1'), parts.operation);
      assert.deepEqual(Object.entries(row.state.newest.key), [
        ['b', 'x'],
        ['a', 1],
      ]);
      assert.deepEqual(others, []);
    }
  });

  test('takes the place of the primary key', () => {
    const parts: ChangeParts = { operation: 'INS', types, key: [['c', 'new']], current: after };
    assert.deepEqual(idsOf(parts, rules), [idOf('x', '1')]);
  });

  test('moves the row when a part of it changes, also when the event does not carry the other part', () => {
    const old = before;
    for (const current of [
      [
        ['a', '2'],
        ['b', 'x'],
        ['c', 'new'],
      ],
      [['a', '2']],
    ] as const) {
      const rows = rowsOf({ ...keyless, operation: 'UPD', old, current }, rules);
      assert.deepEqual(
        rows.map(({ id, state }) => [id, isDeleted(state)]),
        [
          [idOf('x', '1'), true],
          [idOf('x', '2'), false],
        ],
      );
    }
  });

  test('is looked for in the old image, then in the primary key, where the new image lacks it', () => {
    const changed = [['c', 'new']] as const;
    assert.deepEqual(idsOf({ ...keyless, operation: 'UPD', old: before, current: changed }, rules), [
      idOf('x', '1'),
    ]);
    const key = [
      ['a', '1'],
      ['b', 'x'],
    ] as const;
    assert.deepEqual(idsOf({ operation: 'UPD', types, key, current: changed }, rules), [idOf('x', '1')]);
    assert.deepEqual(idsOf({ operation: 'DEL', types, key }, rules), [idOf('x', '1')]);
  });

  // CES with include_all_columns = 0 sends the primary key and what has changed; this key is neither.
  test('that an update does not carry is a dead letter that says what to do', () => {
    const current = [['c', 'marker']] as const;
    const message = refusal({ ...keyless, operation: 'UPD', current }, rules, 'no-key');
    assert.match(message, /"b", which REPLICA_CONFIG names in the key of db1\.dbo\.Purchases, is not in the/);
    assert.match(message, /check its name, and that the table is streamed with @include_all_columns = 1$/);
    refusal({ ...keyless, operation: 'DEL' }, rules, 'no-key');
    refusal({ ...keyless, operation: 'INS', current: [['b', 'marker']] }, rules, 'no-key');
  });

  test('that is NULL is a dead letter, although an older value is known', () => {
    const current = [
      ['a', null],
      ['b', 'marker'],
    ] as const;
    const message = refusal({ ...keyless, operation: 'UPD', old: before, current }, rules, 'no-key');
    assert.match(message, /^"a", .* is NULL$/);
    refusal({ ...keyless, operation: 'INS', current }, rules, 'no-key');
    refusal({ ...keyless, operation: 'DEL', old: current }, rules, 'no-key');
  });

  test('that is empty is a key like any other', () => {
    const current = [
      ['a', ''],
      ['b', ''],
    ] as const;
    assert.deepEqual(idsOf({ ...keyless, operation: 'INS', current }, rules), [idOf('', '')]);
  });

  test('may be called as something of every object', () => {
    const odd = rulesOf({ key: ['constructor'] });
    const parts = { key: [], types: [['constructor', 'int']] } as const;
    assert.deepEqual(idsOf({ ...parts, operation: 'INS', current: [['constructor', '1']] }, odd), [
      idOf('1'),
    ]);
    refusal({ ...parts, operation: 'INS', current: [['a', '1']] }, odd, 'no-key');
  });
});

test('without a primary key and a configured one the dead letter says so', () => {
  const parts: ChangeParts = { operation: 'INS', key: [], current: [['a', 'marker']] };
  assert.equal(
    refusal(parts, rulesOf({}), 'no-key'),
    'pkkey is empty: db1.dbo.Purchases has no primary key, and REPLICA_CONFIG names no key for it',
  );
});

describe('a key that the source takes for equal', () => {
  const rules = rulesOf({ normalize: { id: ['ci', 'rtrim'] } });
  const types = [
    ['id', 'varchar(9)'],
    ['a', 'int'],
  ] as const;
  const image = (id: string, a: string) =>
    [
      ['id', id],
      ['a', a],
    ] as const;
  const spelled = (id: string) => ({ types, key: [['id', id]] as const });

  test('is one row, which keeps what was sent', () => {
    const [row] = rowsOf({ ...spelled('Abc '), operation: 'INS', current: image('Abc ', '1') }, rules);
    assert.equal(row?.id, idOf('abc'));
    assert.deepEqual(row.state.newest.key, { id: 'Abc ' });
    assert.equal(row.state.cells.get('id')?.value, 'Abc ');
  });

  test('does not move a row when it is spelled anew in an update', () => {
    for (const named of ['abc', 'ABC']) {
      const rows = rowsOf(
        { ...spelled(named), operation: 'UPD', old: image('abc', '1'), current: image('ABC', '2') },
        rules,
      );
      assert.deepEqual(
        rows.map(({ id, state }) => [id, isDeleted(state)]),
        [[idOf('abc'), false]],
      );
      assert.deepEqual(rows[0]?.state.newest.key, { id: 'ABC' });
    }
  });

  test('moves the row when it is another one', () => {
    const parts = { operation: 'UPD', old: image('a', '1'), current: image('b', '1') } as const;
    assert.deepEqual(idsOf({ ...spelled('b'), ...parts }, rules), [idOf('a'), idOf('b')]);
  });

  // A case-only change of a key, told as two events of one transaction: the row must not end up deleted.
  test('survives a delete and an insert in other spelling, in any order of arrival', () => {
    const changes = [
      ...rowsOf({ ...spelled('abc'), operation: 'INS', n: 1, current: image('abc', '1') }, rules),
      ...rowsOf({ ...spelled('abc'), operation: 'DEL', n: 2, old: image('abc', '1') }, rules),
      ...rowsOf({ ...spelled('ABC'), operation: 'INS', n: 3, current: image('ABC', '2') }, rules),
    ];
    assert.deepEqual(new Set(changes.map(({ id }) => id)), new Set([idOf('abc')]));
    fc.assert(
      fc.property(fc.shuffledSubarray(changes, { minLength: 3 }), (order) => {
        const state = order.map((change) => change.state).reduce(join);
        assert.equal(isDeleted(state), false);
        assert.deepEqual(state.newest.key, { id: 'ABC' });
        assert.equal(state.cells.get('a')?.value, 2);
      }),
    );
  });

  test('is the same for what is only known in part', () => {
    const update = (old: string, now: string) =>
      changeOf({ ...spelled(now), operation: 'UPD', n: 2, old: [['id', old]], current: image(now, '1') });
    const newer = rowsOf({ ...spelled('abc'), operation: 'INS', n: 9, current: image('abc', '9') }, rules);
    const [row] = newer;
    assert.ok(row);
    assert.equal(isSuperseded(update('abc', 'ABC '), row.state, rules), true);
    assert.equal(isSuperseded(update('abd', 'abc'), row.state, rules), false);
    assert.equal(isSuperseded(update('abc', 'ABC'), row.state, rulesOf({})), false);
  });
});

test('a guid is the same in lower case and in braces', () => {
  const rules = rulesOf({ normalize: { id: ['guid'] } });
  const guid = '6F9619FF-8B86-D011-B42D-00C04FC964FF';
  for (const sent of [guid, guid.toLowerCase(), `{${guid}}`])
    assert.deepEqual(idsOf({ operation: 'DEL', key: [['id', sent]] }, rules), [idOf(guid)]);
});

describe('a masked key', () => {
  const current = [
    ['id', 'marker'],
    ['a', 'x'],
  ] as const;
  const parts: ChangeParts = {
    operation: 'INS',
    types: [
      ['id', 'varchar(9)'],
      ['a', 'varchar(9)'],
    ],
    key: [['id', 'marker']],
    current,
  };
  const masks: readonly (readonly [mask: unknown, shown: string])[] = [
    ['hash', hasher(SALT)('marker')],
    [{ fixed: '***' }, '***'],
    [{ last: 2 }, '****er'],
  ];
  for (const [mask, shown] of masks) {
    test(`${JSON.stringify(mask)} stands in the id as a hash, and nowhere in the clear`, () => {
      const rules = rulesOf({ columns: { mask: { id: mask } } });
      const [row] = rowsOf(parts, rules);
      assert.ok(row);
      assert.equal(row.id, idOf(hasher(SALT)('marker')));
      const item = toReplicaItem(row.id, rules.table, row.state, TTL_S);
      assert.deepEqual([item.key, item.row], [{ id: shown }, { id: shown, a: 'x' }]);
      assert.doesNotMatch(JSON.stringify(item), /marker/);
    });
  }

  test('tells rows apart whose masks are alike', () => {
    const rules = rulesOf({ columns: { mask: { id: { fixed: '***' } } } });
    const ids = ['marker', 'other', '', '\ud800', '\ud801'].flatMap((id) =>
      idsOf({ ...parts, key: [['id', id]], current: [['id', id]] }, rules),
    );
    assert.equal(new Set(ids).size, 5);
  });

  test('that moves deletes the old row, whatever the mask shows', () => {
    const rules = rulesOf({ columns: { mask: { id: { fixed: '***' } } } });
    const rows = rowsOf({ ...parts, operation: 'UPD', old: [['id', 'before']], current }, rules);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['before', 'marker'].map((key) => idOf(hasher(SALT)(key))),
    );
  });
});

describe('a key column', () => {
  const current = [
    ['id', '7'],
    ['a', 'x'],
  ] as const;
  const insert: ChangeParts = { operation: 'INS', current };

  test('that is renamed has its new name in the key and the row; the id is the same', () => {
    const [row] = rowsOf(insert, rulesOf({ columns: { rename: { id: 'number' } } }));
    assert.equal(row?.id, idOf('7'));
    assert.deepEqual(row.state.newest.key, { number: 7 });
    assert.deepEqual([...row.state.cells.keys()], ['number', 'a']);
  });

  test('is named as in the source where REPLICA_CONFIG names the key', () => {
    const rules = rulesOf({ key: ['id'], columns: { rename: { id: 'number' } } });
    const [row] = rowsOf({ ...insert, key: [] }, rules);
    assert.equal(row?.id, idOf('7'));
    assert.deepEqual(row.state.newest.key, { number: 7 });
  });

  test('that is not listed stays', () => {
    const [row] = rowsOf(insert, rulesOf({ columns: { include: ['a'] } }));
    assert.deepEqual([...(row?.state.cells.keys() ?? [])], ['id', 'a']);
  });

  test('that is excluded is a dead letter, for every operation', () => {
    const rules = rulesOf({ columns: { exclude: ['id'] } });
    for (const parts of [
      insert,
      { operation: 'UPD', old: current, current },
      { operation: 'DEL', old: current },
    ] as const)
      assert.match(refusal(parts, rules, 'key-excluded'), /"id".*db1\.dbo\.Purchases/);
  });

  test('of another JSON type has that in key and row; the id is made of what was sent', () => {
    const [row] = rowsOf(
      { ...insert, types: [['id', 'bigint']], key: [['id', '007']], current: [['id', '007']] },
      rulesOf({ columns: { types: { id: 'number' } } }),
    );
    assert.equal(row?.id, idOf('007'));
    assert.deepEqual([row.state.newest.key, row.state.cells.get('id')?.value], [{ id: 7 }, 7]);
  });
});

// One of them would overwrite the other, and which of them depends on the order in the message.
test('two columns of one name are a dead letter, also when the message declares only one of them', () => {
  const rules = rulesOf({ columns: { rename: { a: 'b' } } });
  const current = [
    ['id', '7'],
    ['a', 'marker'],
    ['b', 'marker'],
  ] as const;
  const declared = (...names: string[]) => names.map((name) => [name, 'varchar(9)'] as const);
  for (const types of [declared('id', 'a', 'b'), declared('id', 'a'), declared('id', 'b')])
    assert.match(
      refusal({ operation: 'INS', types, current }, rules, 'column-conflict'),
      /would both be called "b"$/,
    );
  const excluding = rulesOf({ columns: { rename: { a: 'b' }, exclude: ['b'] } });
  for (const types of [declared('id', 'a', 'b'), declared('id', 'a')]) {
    const [row] = rowsOf({ operation: 'INS', types, current }, excluding);
    assert.deepEqual([...(row?.state.cells.keys() ?? [])], ['id', 'b']);
  }
});

/** Texts that keys of a type look like on the wire. */
const keysByType: Readonly<Record<string, readonly string[]>> = {
  tinyint: ['0', '255'],
  int: ['-2147483648', '7'],
  bigint: ['9223372036854775807', '9007199254740993', '9007199254740992'],
  bit: ['0', '1'],
  'decimal(38,10)': ['0.0000000001', '1.0000000000'],
  money: ['-0.0001', '922337203685477.5807'],
  float: ['1e+015', '-1e-5', '0.1'],
  'datetime2(7)': ['0001-01-01 00:00:00.0000000', '9999-12-31 23:59:59.9999999'],
  'datetimeoffset(7)': ['2025-03-14 16:45:01.0000000 +02:00', '2025-03-14 14:45:01.0000000 +00:00'],
  'time(7)': ['00:00:00.0000000', '00:00:00.0000001'],
  date: ['0001-01-01', '9999-12-31'],
  uniqueidentifier: ['6F9619FF-8B86-D011-B42D-00C04FC964FF'],
  'varbinary(8)': ['0x', '0x00', '0x0000'],
  'char(4)': ['ab  ', '    '],
  'nvarchar(50)': ['', ' ', 'ab', 'AB', 'é', 'e\u0301', '😀', '\ud83d'],
};

for (const [type, keys] of Object.entries(keysByType)) {
  test(`keys of the type ${type} are told apart by their text`, () => {
    const ids = keys.map((key) => {
      const parts: ChangeParts = {
        operation: 'INS',
        types: [['id', type]],
        key: [['id', key]],
        current: [['id', key]],
      };
      const [id] = idsOf(parts, rulesOf({}));
      assert.equal(id, idOf(key));
      return id;
    });
    assert.equal(new Set(ids).size, keys.length);
  });
}

test('normalised, masked and plain key columns together: distinct keys have distinct ids, equal ones one', () => {
  const rules = rulesOf({ normalize: { a: ['ci', 'rtrim'], b: ['ci'] }, columns: { mask: { b: 'hash' } } });
  const part = fc.oneof(adversarialText, fc.constantFrom('a', 'A', 'a ', 'b', ' ', ''));
  const key = fc.tuple(part, part, part);
  const normal = ([a, b, c]: readonly [string, string, string]) =>
    JSON.stringify([normalizer(['ci', 'rtrim'])(a), normalizer(['ci'])(b), c]);
  const idOfKey = ([a, b, c]: readonly [string, string, string]) =>
    idsOf(
      {
        operation: 'DEL',
        types: [],
        key: [
          ['a', a],
          ['b', b],
          ['c', c],
        ],
      },
      rules,
    )[0];
  let equals = 0;
  fc.assert(
    fc.property(key, key, fc.subarray([0, 1, 2]), (one, other, same) => {
      for (const index of same) other[index] = index === 2 ? (one[2] ?? '') : swapCase(one[index] ?? '');
      assert.equal(idOfKey(one) === idOfKey(other), normal(one) === normal(other));
      if (normal(one) === normal(other)) equals += 1;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(equals > 50, `${equals}`);
});

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
