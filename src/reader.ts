// biome-ignore-all lint/performance/noBarrelFile: the entry of the package for programs that read the replica
/**
 * For programs that read the replica: `import { documentId, resolveLargeValues } from 'ces-replica/reader'`. It needs
 * no SDK; docs/reading.md has examples.
 */
export type { Table } from './model/table.ts';
export { type DocumentId, documentId } from './replica/documentId.ts';
export type { JsonValue } from './replica/jsonValue.ts';
export type { LargeValueReference, RowValue } from './replica/largeValue.ts';
export type { Provenance, ReplicaItem } from './replica/replicaItem.ts';
export { type Resolved, resolveLargeValues, WrongLargeValue } from './replica/resolveLargeValues.ts';
export { dataCollectionOrder } from './transactions/dataCollectionOrder.ts';
export type { DataCollection, TransactionItem } from './transactions/transactionItem.ts';
export {
  type ReachedWatermark,
  type WaitOptions,
  type WatermarkContainer,
  WatermarkNotReached,
  waitForWatermark,
} from './transactions/waitForWatermark.ts';
