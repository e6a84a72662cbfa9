import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DataError } from '../../src/errors/dataError.ts';
import type { ReasonCode } from '../../src/errors/dataErrors.ts';
import type { SqlValue } from '../../src/model/change.ts';
import { documentId } from '../../src/replica/documentId.ts';
import { type RowChange, rowChanges } from '../../src/replica/rowChanges.ts';
import { isDeleted } from '../../src/replica/rowState.ts';
import { stampOf } from '../../src/replica/stamp.ts';
import { rulesFor } from '../support/rulesFor.ts';
import { type ChangeParts, changeOf, purchases, versionNumber } from './changeOf.ts';

type Entries = readonly (readonly [column: string, value: SqlValue])[];

const merge = rulesFor(purchases);
const replace = rulesFor(purchases, { updates: 'replace' });

const idOf = (...key: string[]) => documentId(purchases, key);
const changesOf = (parts: ChangeParts, options = merge) => rowChanges(changeOf(parts), options);

const before: Entries = [
  ['id', '7'],
  ['a', 'old'],
  ['b', 'b'],
];
const after: Entries = [
  ['id', '7'],
  ['a', 'new'],
  ['b', 'b'],
];

/** The cells of a row as plain values. */
function valuesOf(row: RowChange | undefined): [string, unknown][] {
  return [...(row?.state.cells ?? [])].map(([column, { value }]) => [column, value]);
}

function onlyRow(parts: ChangeParts, options = merge): RowChange {
  const { rows } = changesOf(parts, options);
  assert.equal(rows.length, 1);
  const [row] = rows;
  assert.ok(row);
  return row;
}

test('an insert is an image of the row', () => {
  const { rows, unparsedValues, unknownColumns } = changesOf({ operation: 'INS', n: 3, current: after });
  const stamp = stampOf(versionNumber(3), false);
  assert.deepEqual(rows, [
    {
      id: 'db1.dbo.Purchases:7',
      state: {
        image: stamp,
        cells: new Map([
          ['id', { stamp, value: 7 }],
          ['a', { stamp, value: 'new' }],
          ['b', { stamp, value: 'b' }],
        ]),
        newest: { stamp, operation: 'INS', time: '2026-01-02T03:04:05.678Z', key: { id: 7 } },
      },
    },
  ]);
  assert.deepEqual([unparsedValues, unknownColumns], [0, 0]);
});

describe('an update', () => {
  test('that is merged sets the columns it carries and is no image', () => {
    const { id, state } = onlyRow({ operation: 'UPD', n: 2, old: before, current: after });
    assert.equal(id, idOf('7'));
    assert.equal(state.image, null);
    assert.equal(state.newest.operation, 'UPD');
    assert.deepEqual([...state.cells.keys()], ['id', 'a', 'b']);
  });

  test('of a table declared as full-image is an image', () => {
    const { state } = onlyRow({ operation: 'UPD', n: 2, old: before, current: after }, replace);
    assert.equal(state.image, stampOf(versionNumber(2), false));
    assert.equal(state.newest.operation, 'UPD');
  });

  test('of some columns leaves the others out, so that they are not taken for NULL', () => {
    const row = onlyRow({
      operation: 'UPD',
      old: [['a', 'old']],
      current: [
        ['id', '7'],
        ['a', null],
      ],
    });
    assert.deepEqual(valuesOf(row), [
      ['id', 7],
      ['a', null],
    ]);
  });

  test('without old values belongs to the row it names', () => {
    const row = onlyRow({ operation: 'UPD', old: null, current: after });
    assert.equal(row.id, idOf('7'));
  });

  test('whose images lack the key belongs to the row it names', () => {
    for (const [old, current] of [
      [[['a', 'old']], after],
      [before, [['a', 'new']]],
      [[['id', null]], after],
      [[['a', 'old']], [['a', 'new']]],
    ] as const) {
      assert.equal(onlyRow({ operation: 'UPD', old, current }).id, idOf('7'));
    }
  });
});

// Some builds announce an update as INS; taken for an image it would wipe the columns it does not carry.
test('an insert that carries old values is an update', () => {
  const parts: ChangeParts = { operation: 'INS', old: [['a', 'old']], current: [['a', 'new']] };
  const merged = onlyRow(parts);
  assert.equal(merged.state.image, null);
  assert.equal(merged.state.newest.operation, 'UPD');
  assert.notEqual(onlyRow(parts, replace).state.image, null);
});

describe('a delete', () => {
  test('is an image without columns', () => {
    const { id, state } = onlyRow({ operation: 'DEL', n: 4, old: before });
    assert.equal(id, idOf('7'));
    assert.equal(isDeleted(state), true);
    assert.deepEqual(state, {
      image: stampOf(versionNumber(4), true),
      cells: new Map(),
      newest: {
        stamp: stampOf(versionNumber(4), true),
        operation: 'DEL',
        time: '2026-01-02T03:04:05.678Z',
        key: { id: 7 },
      },
    });
  });

  test('needs no images', () => {
    assert.equal(onlyRow({ operation: 'DEL' }).id, idOf('7'));
  });
});

describe('an update that changes the key', () => {
  const moved: Entries = [
    ['id', '8'],
    ['a', 'new'],
  ];

  test('deletes the old row and sets the new one, filled up from the old values', () => {
    const { rows, unknownColumns } = changesOf({ operation: 'UPD', n: 5, old: before, current: moved });
    const [gone, here] = rows;
    assert.deepEqual(
      rows.map(({ id }) => id),
      [idOf('7'), idOf('8')],
    );
    assert.equal(gone?.state.image, stampOf(versionNumber(5), true));
    assert.equal(gone?.state.newest.operation, 'DEL');
    assert.deepEqual(gone?.state.newest.key, { id: 7 });
    assert.equal(here?.state.image, stampOf(versionNumber(5), false));
    assert.equal(here?.state.newest.operation, 'UPD');
    assert.deepEqual(here?.state.newest.key, { id: 8 });
    assert.deepEqual(
      new Map(valuesOf(here)),
      new Map<string, unknown>([
        ['id', 8],
        ['a', 'new'],
        ['b', 'b'],
      ]),
    );
    assert.equal(unknownColumns, 0);
  });

  test('finds both rows whichever key the event names', () => {
    for (const named of ['7', '8']) {
      const { rows } = changesOf({ operation: 'UPD', key: [['id', named]], old: before, current: moved });
      assert.deepEqual(
        rows.map(({ id }) => id),
        [idOf('7'), idOf('8')],
      );
    }
  });

  test('counts the columns that neither image carries', () => {
    const { rows, unknownColumns } = changesOf({ operation: 'UPD', old: [['id', '7']], current: moved });
    assert.equal(unknownColumns, 1);
    assert.deepEqual(
      valuesOf(rows[1]).map(([column]) => column),
      ['id', 'a'],
    );
  });

  test('is the whole new row in a table declared as full-image', () => {
    const { rows } = changesOf({ operation: 'UPD', n: 5, old: before, current: moved }, replace);
    assert.equal(rows[1]?.state.image, stampOf(versionNumber(5), false));
  });

  test('sees a change of one column of several', () => {
    const key = [
      ['order', '1'],
      ['line', '2'],
    ] as const;
    const { rows } = changesOf({
      operation: 'UPD',
      types: [
        ['order', 'int'],
        ['line', 'int'],
      ],
      key,
      old: key,
      current: [
        ['line', '3'],
        ['order', '1'],
      ],
    });
    assert.deepEqual(
      rows.map(({ id }) => id),
      [idOf('1', '2'), idOf('1', '3')],
    );
  });

  test('also when it is announced as an insert', () => {
    assert.equal(changesOf({ operation: 'INS', old: before, current: moved }).rows.length, 2);
  });
});

describe('what cannot be addressed or has no content is refused', () => {
  const refused = (parts: ChangeParts, code: ReasonCode) =>
    assert.throws(
      () => changesOf(parts),
      (error) => {
        assert.ok(error instanceof DataError);
        assert.equal(error.code, code);
        assert.match(error.message, /db1\.dbo\.Purchases/);
        assert.doesNotMatch(error.message, /marker/);
        return true;
      },
    );
  const marked: Entries = [['a', 'marker']];

  test('a change without a key', () => {
    refused({ operation: 'INS', key: [], current: marked }, 'no-key');
    refused({ operation: 'UPD', key: [], old: marked, current: marked }, 'no-key');
    refused({ operation: 'DEL', key: [], old: marked }, 'no-key');
  });

  test('an insert or update without values', () => {
    refused({ operation: 'INS' }, 'no-row');
    refused({ operation: 'INS', old: marked }, 'no-row');
    refused({ operation: 'UPD', old: marked }, 'no-row');
    refused({ operation: 'UPD', key: [] }, 'no-row');
  });
});

test('columns may be called anything', () => {
  const names = ['__proto__', 'constructor', 'id', 'ttl', 'toString', '_ts', 'hasOwnProperty', '', 'a.b'];
  const key = [['__proto__', 'k']] as const;
  const row = onlyRow({
    operation: 'INS',
    types: names.map((name) => [name, 'nvarchar(9)']),
    key,
    current: names.map((name) => [name, `value of ${name}`]),
  });
  assert.equal(row.id, idOf('k'));
  assert.deepEqual(
    valuesOf(row),
    names.map((name) => [name, `value of ${name}`]),
  );
  assert.deepEqual(Object.entries(row.state.newest.key), [['__proto__', 'k']]);
});

test('a column called as something of every object is not found in an image that lacks it', () => {
  const key = [['constructor', '7']] as const;
  for (const old of [key, [['a', 'old']] as const]) {
    const { rows } = changesOf({ operation: 'UPD', key, old, current: [['a', 'new']] });
    assert.deepEqual(
      rows.map(({ id }) => id),
      [idOf('7')],
    );
  }
});

test('names of other letter case are other columns', () => {
  const row = onlyRow({
    operation: 'INS',
    types: [
      ['id', 'int'],
      ['A', 'int'],
      ['a', 'varchar(9)'],
    ],
    current: [
      ['A', '1'],
      ['a', '1'],
    ],
  });
  assert.deepEqual(valuesOf(row), [
    ['A', 1],
    ['a', '1'],
  ]);
});

test('the id is made of the key’s text as sent, the key keeps its values', () => {
  const { id, state } = onlyRow({
    operation: 'DEL',
    types: [
      ['at', 'datetime2(7)'],
      ['n', 'decimal(9,2)'],
    ],
    key: [
      ['at', '2025-01-01 00:00:00.5000000'],
      ['n', '1.50'],
    ],
  });
  assert.equal(id, idOf('2025-01-01 00:00:00.5000000', '1.50'));
  assert.deepEqual(state.newest.key, { at: '2025-01-01T00:00:00.5000000', n: 1.5 });
});

test('values that are not of their type are kept and counted', () => {
  const types = [
    ['id', 'int'],
    ['a', 'int'],
    ['b', 'date'],
  ] as const;
  const current: Entries = [
    ['id', '7'],
    ['a', 'many'],
    ['b', 'never'],
  ];
  const { rows, unparsedValues } = changesOf({ operation: 'INS', types, current });
  assert.equal(unparsedValues, 2);
  assert.deepEqual(valuesOf(rows[0]), [
    ['id', 7],
    ['a', 'many'],
    ['b', 'never'],
  ]);
});

test('the epoch is the first part of the version', () => {
  const { state } = onlyRow({ operation: 'INS', n: 1, current: after }, { ...merge, epoch: 12 });
  assert.equal(state.image, `0012:${'0'.repeat(19)}1:${'0'.repeat(19)}1:1`);
});
