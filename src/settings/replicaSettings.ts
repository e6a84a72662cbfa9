import type { Table } from '../model/table.ts';
import type { ReplicaConfig } from './replicaConfig.ts';
import { tableConfig } from './replicaConfig.ts';

/** Choices that shape the replica; connections and names are elsewhere. */
export interface ReplicaSettings {
  /** First part of every version, 0 to 9999; raised when a source database was restored to an earlier state. */
  readonly epoch: number;
  /** Life of a tombstone, in seconds. */
  readonly tombstoneSeconds: number;
  /** Time an incomplete event waits for its missing segments, in seconds; shorter than the life of a tombstone. */
  readonly parkedSeconds: number;
  /** Time a batch may take, in seconds. */
  readonly batchDeadlineSeconds: number;
  readonly config: ReplicaConfig;
}

/** How updates of a table are meant: see `updates` in {@link ReplicaConfig}. */
export function updatesOf(settings: ReplicaSettings, table: Table): 'merge' | 'replace' {
  return tableConfig(settings.config, table)?.updates ?? 'merge';
}
