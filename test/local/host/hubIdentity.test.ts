import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hubIdentity } from '../../../local/host/hubIdentity.ts';

const TRIGGER = { type: 'eventHubTrigger', direction: 'in', name: 'messages', connection: 'Hub' } as const;

it('takes the namespace from the identity setting or from the connection string', () => {
  const trigger = { ...TRIGGER, eventHubName: 'changes', consumerGroup: 'replica' };
  const byIdentity = hubIdentity(trigger, { Hub__fullyQualifiedNamespace: 'a.example' });
  assert.deepEqual(byIdentity, {
    fullyQualifiedNamespace: 'a.example',
    eventHubName: 'changes',
    consumerGroup: 'replica',
  });
  const Hub = 'Endpoint=sb://b.example/;SharedAccessKeyName=n;SharedAccessKey=k';
  assert.equal(hubIdentity(trigger, { Hub }).fullyQualifiedNamespace, 'b.example');
  assert.equal(hubIdentity(trigger, {}).fullyQualifiedNamespace, 'localhost');
});

it('looks up names in percent signs, and fails where a setting is missing', () => {
  const trigger = { ...TRIGGER, eventHubName: '%HUB%', consumerGroup: '%GROUP%' };
  const { eventHubName, consumerGroup } = hubIdentity(trigger, { HUB: 'changes', GROUP: 'g' });
  assert.deepEqual([eventHubName, consumerGroup], ['changes', 'g']);
  assert.throws(() => hubIdentity(trigger, { HUB: 'changes' }), /'%GROUP%' does not resolve/);
});
