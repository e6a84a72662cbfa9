import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionString, readAuthentication } from '../../src/settings/telemetrySettings.ts';

const KEY = '00000000-0000-4000-8000-00000000000a';

test('a connection string has an instrumentation key', () => {
  assert.ok(isConnectionString(`InstrumentationKey=${KEY}`));
  assert.ok(
    isConnectionString(
      `InstrumentationKey=${KEY};IngestionEndpoint=https://x.in.applicationinsights.azure.com/;`,
    ),
  );
  assert.ok(isConnectionString(`ingestionendpoint=https://x;instrumentationkey=${KEY.toUpperCase()}`));
  for (const wrong of [
    '',
    KEY,
    'InstrumentationKey=',
    'InstrumentationKey=1',
    `InstrumentationKey=${KEY};x`,
    `a=${KEY}`,
  ])
    assert.equal(isConnectionString(wrong), false, wrong);
});

test('an identity is told by Authorization=AAD, with or without a client id', () => {
  assert.deepEqual(readAuthentication('ClientId=abc;Authorization=AAD'), { clientId: 'abc' });
  assert.deepEqual(readAuthentication('Authorization=aad'), { clientId: undefined });
  for (const wrong of ['', 'AAD', 'ClientId=abc', 'Authorization=ikey', 'Authorization=AAD;x'])
    assert.equal(readAuthentication(wrong), undefined, wrong);
});
