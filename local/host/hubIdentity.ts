import type { Trigger } from './registeredFunction.ts';

/** Which event hub a trigger reads, after its settings are looked up. */
export interface HubIdentity {
  readonly fullyQualifiedNamespace: string;
  readonly eventHubName: string;
  readonly consumerGroup: string;
}

/** Stands in when the app's settings name no namespace: nothing connects to it. */
const NO_NAMESPACE = 'localhost';

/** Resolves `%SETTING%` names and the connection of an Event Hubs trigger as the host does. */
export function hubIdentity(trigger: Trigger, settings: Readonly<Record<string, string>>): HubIdentity {
  return {
    fullyQualifiedNamespace: namespaceOf(String(trigger['connection'] ?? ''), settings),
    eventHubName: resolve(String(trigger['eventHubName'] ?? ''), settings),
    consumerGroup: resolve(String(trigger['consumerGroup'] ?? '$Default'), settings),
  };
}

function namespaceOf(connection: string, settings: Readonly<Record<string, string>>): string {
  const endpoint = /Endpoint=sb:\/\/([^/;]+)/i.exec(settings[connection] ?? '')?.[1];
  return settings[`${connection}__fullyQualifiedNamespace`] || endpoint || NO_NAMESPACE;
}

function resolve(text: string, settings: Readonly<Record<string, string>>): string {
  return text.replace(/%([^%]+)%/g, (_, name: string) => {
    const value = settings[name];
    if (value === undefined) {
      throw new Error(`'%${name}%' does not resolve to a value.`);
    }
    return value;
  });
}
