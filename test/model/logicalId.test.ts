import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLogicalId } from '../../src/model/logicalId.ts';

const GROUP = '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0';
const LSN = '000000B1000008A80007';
const SEQUENCE = '00000000000000000001';

test('the three parts are read', () => {
  const text = `${GROUP}:${LSN}:${SEQUENCE}`;
  assert.deepEqual(parseLogicalId(text), { streamGroup: GROUP, lsn: LSN, sequence: SEQUENCE, text });
});

test('equal ids have equal text, whatever the case and the leading zeros', () => {
  const text = `${GROUP}:${LSN}:${SEQUENCE}`;
  for (const written of [
    `${GROUP.toUpperCase()}:${LSN}:${SEQUENCE}`,
    `${GROUP}:${LSN.toLowerCase()}:${SEQUENCE}`,
    `${GROUP}:${LSN}:1`,
    `${GROUP}:${LSN}:0001`,
  ]) {
    assert.deepEqual(parseLogicalId(written), { streamGroup: GROUP, lsn: LSN, sequence: SEQUENCE, text });
  }
});

for (const text of [
  '',
  ':',
  GROUP,
  `${GROUP}:${LSN}`,
  `${GROUP}:${LSN}:`,
  `${GROUP}::${SEQUENCE}`,
  `:${LSN}:${SEQUENCE}`,
  `${GROUP}:${LSN}:${SEQUENCE}:`,
  `${GROUP}:${LSN}:${SEQUENCE}:1`,
  `${GROUP}:${LSN}:${SEQUENCE}\n`,
  ` ${GROUP}:${LSN}:${SEQUENCE}`,
  `${GROUP}:${LSN}: 1`,
  `${GROUP}:${LSN}:-1`,
  `${GROUP}:${LSN}:+1`,
  `${GROUP}:${LSN}:1e3`,
  `${GROUP}:${LSN}:0x1`,
  `${GROUP}:${LSN}:123456789012345678901`,
  `${GROUP}:${LSN.slice(1)}:${SEQUENCE}`,
  `${GROUP}:0${LSN}:${SEQUENCE}`,
  `${GROUP}:${LSN.replace('B', 'G')}:${SEQUENCE}`,
  `${GROUP}:000000B1:000008A8:0007:${SEQUENCE}`,
  `{${GROUP}}:${LSN}:${SEQUENCE}`,
  `${GROUP.replaceAll('-', '')}:${LSN}:${SEQUENCE}`,
  `${GROUP.replace('1', '/')}:${LSN}:${SEQUENCE}`,
  `../../etc:${LSN}:${SEQUENCE}`,
  `${GROUP}:${LSN}:\u0661`,
]) {
  test(`${JSON.stringify(text)} is no logical id`, () => assert.equal(parseLogicalId(text), undefined));
}
