import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outageHint } from '../../../local/ops/outageHint.ts';
import { OutageError } from '../../../src/errors/outageError.ts';

const hintFor = (cause: object): string | undefined =>
  outageHint(new OutageError('listing dead letters failed; try again', { cause }));

test('who is not signed in, is not known, or has no right, is told what to do', () => {
  const signedOut = Object.assign(new Error('x'), { name: 'AggregateAuthenticationError' });
  assert.match(hintFor(signedOut) ?? '', /az login/);
  assert.match(hintFor(new Error('x', { cause: signedOut })) ?? '', /az login/);
  assert.match(hintFor(Object.assign(new Error('x'), { code: 'ENOTFOUND' })) ?? '', /endpoint/);
  assert.match(
    hintFor(Object.assign(new Error('x'), { code: 'AuthorizationFailure', statusCode: 403 })) ?? '',
    /operatorPrincipalId/,
  );
  assert.match(hintFor(Object.assign(new Error('x'), { code: 403 })) ?? '', /operatorPrincipalId/);
  assert.match(hintFor(Object.assign(new Error('x'), { code: 401 })) ?? '', /tenant/);
});

test('nothing is made up about other outages', () => {
  assert.equal(hintFor(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), undefined);
  assert.equal(hintFor({}), undefined);
});
