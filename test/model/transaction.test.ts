import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLsn } from '../../src/model/lsn.ts';
import { BEFORE_ALL, changeSequence } from '../../src/model/position.ts';
import { padSequenceNumber } from '../../src/model/sequenceNumber.ts';
import { transactionOf } from '../../src/model/transaction.ts';
import { parseVersion, versionOf } from '../../src/model/version.ts';

const lsn = parseLsn('00000025:00000d08:0025');
const changeLsn = parseLsn('00000025:00000d08:0021');
assert.ok(lsn !== undefined && changeLsn !== undefined);
const fromCes = versionOf(3, lsn, padSequenceNumber('12'));
const fromDebezium = versionOf(3, lsn, changeSequence(changeLsn, 2));

test('a transaction is named as Debezium names it', () => {
  assert.deepEqual(transactionOf(fromCes), { id: '00000025:00000d08:0025', total_order: 12 });
});

test('of a CES change the version tells the order, of a Debezium change only the message does', () => {
  assert.equal(transactionOf(fromCes, { totalOrder: 99 })?.total_order, 12);
  assert.deepEqual(transactionOf(fromDebezium), { id: '00000025:00000d08:0025' });
  assert.deepEqual(transactionOf(fromDebezium, { totalOrder: 4 }), {
    id: '00000025:00000d08:0025',
    total_order: 4,
  });
});

test('the place among the changes of the table is told by whoever knows it', () => {
  for (const [version, total_order] of [
    [fromCes, 12],
    [fromDebezium, 4],
  ] as const)
    assert.deepEqual(transactionOf(version, { totalOrder: 4, dataCollectionOrder: 2 }), {
      id: '00000025:00000d08:0025',
      total_order,
      data_collection_order: 2,
    });
});

test('a row of a snapshot belongs to no transaction', () => {
  const snapshot = versionOf(0, BEFORE_ALL, changeSequence(lsn, 1));
  assert.equal(transactionOf(snapshot, { dataCollectionOrder: 1 }), undefined);
});

test('versions of both sources are read back and have one order', () => {
  const later = parseLsn('00000025:00000d08:0026');
  assert.ok(later !== undefined);
  const ascending = [
    versionOf(3, BEFORE_ALL, changeSequence(changeLsn, 1_754_583_900)),
    versionOf(3, BEFORE_ALL, changeSequence(lsn, 1_754_583_900)),
    fromCes,
    versionOf(3, lsn, padSequenceNumber('99999999999')),
    fromDebezium,
    versionOf(3, lsn, changeSequence(changeLsn, 10)),
    versionOf(3, lsn, changeSequence(lsn, 1)),
    versionOf(3, later, padSequenceNumber('1')),
  ];
  assert.deepEqual(ascending.toSorted(), ascending);
  for (const version of ascending) assert.equal(parseVersion(version), version);
  assert.equal(parseVersion(`${fromDebezium}0`), undefined);
});
