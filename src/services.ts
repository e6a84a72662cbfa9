import type { DeadLetters } from './deadletter/deadLetter.ts';
import type { Parking } from './parking/parking.ts';
import type { RecentEvents } from './parking/recentEvents.ts';
import type { LargeValues } from './replica/largeValues.ts';
import type { RecentItems } from './replica/recentItems.ts';
import type { ReplicaStore } from './replica/replicaStore.ts';
import type { ReplicaSettings } from './settings/replicaSettings.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { BoundaryOutbox } from './transactions/boundaryOutbox.ts';
import type { Tracking } from './transactions/tracking.ts';
import type { Watch } from './warnings/watch.ts';

/** What the pipeline works with. One set lives as long as the process and serves all partitions at once. */
export interface Services {
  /**
   * Looks once whether the replica's container is one.
   * @throws ConfigurationError or OutageError when it is not, or cannot be asked: nothing must be dead-lettered then.
   */
  readonly ready: () => Promise<void>;
  readonly store: ReplicaStore;
  readonly largeValues: LargeValues;
  readonly parking: Parking;
  readonly deadLetters: DeadLetters;
  readonly recentEvents: RecentEvents;
  readonly recentItems?: RecentItems | undefined;
  readonly settings: ReplicaSettings;
  readonly watch: Watch;
  readonly telemetry: Telemetry;
  /** Undefined: transactions are not tracked. */
  readonly tracking?: Tracking | undefined;
  /** Undefined: the boundaries of transactions are not sent. */
  readonly boundaries?: BoundaryOutbox | undefined;
}
