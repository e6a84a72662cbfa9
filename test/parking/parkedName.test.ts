import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LogicalId, parseLogicalId } from '../../src/model/logicalId.ts';
import { groupPrefix, readParkedName, releasedName, segmentName } from '../../src/parking/parkedName.ts';

const GROUP = '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0';

function id(text: string): LogicalId {
  const parsed = parseLogicalId(text);
  assert.ok(parsed !== undefined);
  return parsed;
}

const event = id(`${GROUP}:000000B1000008A80007:1`);
const prefix = `${GROUP}/000000B1000008A80007/00000000000000000001/`;

test('names are made of stream group, LSN, sequence number and index', () => {
  assert.equal(groupPrefix(event), prefix);
  assert.equal(segmentName(event, 0), `${prefix}00000`);
  assert.equal(segmentName(event, 99_999), `${prefix}99999`);
  assert.equal(releasedName(event), `${prefix}released`);
});

test('no prefix of an event is the start of the name of another', () => {
  const others = [
    `${GROUP}:000000B1000008A80007:10`,
    `${GROUP}:000000B1000008A80007:11`,
    `${GROUP}:000000B1000008A80008:1`,
    `2${GROUP.slice(1)}:000000B1000008A80007:1`,
  ];
  for (const other of others) assert.ok(!segmentName(id(other), 1).startsWith(prefix), other);
});

test('names are equal for equal ids, whatever the case on the wire', () => {
  const upper = id(`${GROUP.toUpperCase()}:000000b1000008a80007:00000000000000000001`);
  assert.equal(segmentName(upper, 3), segmentName(event, 3));
});

test('names are read back, and foreign names are left alone', () => {
  for (const index of [0, 1, 12, 99_999])
    assert.deepEqual(readParkedName(segmentName(event, index)), { index });
  assert.equal(readParkedName(releasedName(event)), 'released');
  for (const name of ['', `${prefix}`, `${prefix}x`, `${prefix}1.5`, `${prefix}-1`, `${prefix}released2`]) {
    assert.equal(readParkedName(name), undefined, name);
  }
});
