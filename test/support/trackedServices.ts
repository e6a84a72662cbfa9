import { Deadline } from '../../src/deadline.ts';
import type { Services } from '../../src/services.ts';
import { Tracking } from '../../src/transactions/tracking.ts';
import type { WatermarkReport } from '../../src/watermark/moveWatermark.ts';
import { moveWatermarks } from '../../src/watermark/moveWatermarks.ts';
import { hubMessages } from './hubMessages.ts';
import { jsonMessage } from './jsonMessage.ts';
import { MemoryProgress } from './memoryProgress.ts';
import { insertEvent, type TestEvent } from './testEvent.ts';
import { type TestServices, testServices } from './testServices.ts';

/** Of two partitions. */
export const options = { partitions: 2, idleMs: 1000, withOrder: false, ttlSeconds: 60 };

/** An instance that tracks transactions; its clock stands at 5,000 ms. */
export function tracked(progress = new MemoryProgress(), base: TestServices = testServices()) {
  const tracking = new Tracking(progress, options, () => 5_000);
  return { services: { ...base, tracking }, progress };
}

/** A change of transaction `position`. */
export function event(
  id: number,
  position: number,
  sequence: number,
  more: Partial<TestEvent> = {},
): TestEvent {
  const base = insertEvent(id, position);
  const logicalid = base.logicalid.replace(/\d{20}$/, String(sequence).padStart(20, '0'));
  return { ...base, logicalid, sequencenumber: sequence, ...more };
}

/** In a stream group of its own. */
export const inGroup = (group: number, one: TestEvent): TestEvent => ({
  ...one,
  logicalid: one.logicalid.replace(/^.{8}/, group.toString(16).padStart(8, '0')),
});

export const batch = (...events: readonly TestEvent[]) => hubMessages(events.map((one) => jsonMessage(one)));

/** How far the streams of a partition are. */
export async function progressOf({ tracking }: { readonly tracking: Tracking }, partition: number) {
  const partitions = await tracking.partitions.read(new AbortController().signal);
  return [...(partitions[partition]?.streams.values() ?? [])];
}

/** One run of the watermark. @param now by a clock of its own, in milliseconds. */
export async function moveAt(
  now: number,
  { parking, tracking }: Pick<Services, 'parking'> & { readonly tracking: Tracking },
): Promise<readonly WatermarkReport[]> {
  const deadline = new Deadline(60);
  const later = new Tracking(tracking.store, options, () => now);
  return moveWatermarks({ parking, tracking: later }, deadline, 0).finally(() => deadline.end());
}
