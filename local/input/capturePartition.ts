import { resolve, sep } from 'node:path';

/**
 * The partition a Capture file belongs to, from its path: the number before the date in
 * `{Namespace}/{EventHub}/{PartitionId}/{Year}/{Month}/{Day}/{Hour}/{Minute}/{Second}`, where the parts of the
 * date may also be joined by `_` or `-`. "0" for a path of another form: the file itself does not say.
 */
export function capturePartition(path: string): string {
  return CAPTURE_PATH.exec(resolve(path).split(sep).join('/'))?.[1] ?? '0';
}

/** A dedicated cluster has hubs of up to 2000 partitions, so four digits. */
const CAPTURE_PATH = /\/(\d{1,4})\/\d{4}([/_-])\d\d\2\d\d\2\d\d\2\d\d\2\d\d(?:\.avro)?$/;
