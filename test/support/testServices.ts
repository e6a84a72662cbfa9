import { RecentEvents } from '../../src/parking/recentEvents.ts';
import type { Services } from '../../src/services.ts';
import type { ReplicaSettings } from '../../src/settings/replicaSettings.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { Watch } from '../../src/warnings/watch.ts';
import { MemoryDeadLetters } from './memoryDeadLetters.ts';
import { MemoryLargeValues } from './memoryLargeValues.ts';
import { MemoryParking } from './memoryParking.ts';
import { MemoryStore } from './memoryStore.ts';
import { MemoryTelemetry } from './memoryTelemetry.ts';

export const testSettings: ReplicaSettings = {
  tombstoneSeconds: 691_200,
  parkedSeconds: 86_400,
  batchDeadlineSeconds: 60,
  rules: new RuleBook(),
};

export interface TestServices extends Services {
  readonly store: MemoryStore;
  readonly largeValues: MemoryLargeValues;
  readonly parking: MemoryParking;
  readonly deadLetters: MemoryDeadLetters;
  readonly telemetry: MemoryTelemetry;
}

/** One instance of the app on stores in memory. Give the stores of another one to make both share them. */
export function testServices(shared: Partial<TestServices> = {}): TestServices {
  return {
    ready: async () => undefined,
    store: new MemoryStore(),
    largeValues: new MemoryLargeValues(),
    parking: new MemoryParking(),
    deadLetters: new MemoryDeadLetters(),
    settings: testSettings,
    recentEvents: new RecentEvents(1000),
    watch: new Watch(),
    telemetry: new MemoryTelemetry(),
    ...shared,
  };
}

/** Another instance: it shares everything durable and nothing else. */
export function anotherInstance(services: TestServices): TestServices {
  const { store, largeValues, parking, deadLetters, settings } = services;
  return testServices({ store, largeValues, parking, deadLetters, settings });
}
