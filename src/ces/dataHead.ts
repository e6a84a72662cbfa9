import type { ChangeHead } from '../model/changeHead.ts';
import type { DataRecord } from './dataRecord.ts';

/** What stands at the beginning of `data`; `old` as in {@link ChangeHead}. */
export interface DataHead extends Pick<DataRecord, 'table' | 'columns' | 'key' | 'transaction'> {
  readonly old: ChangeHead['old'];
}
