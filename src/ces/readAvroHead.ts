import type { ChangeHead } from '../model/changeHead.ts';
import type { Payload } from '../model/segment.ts';
import { decodeAvro } from './avro.ts';
import { AvroCursor } from './avroCursor.ts';
import { positionType } from './avroSchemas.ts';
import type { DataHead } from './dataHead.ts';
import { checkArrays, describe } from './decodeAvroData.ts';
import { joinBytes } from './joinPayloads.ts';
import { Cut } from './jsonPrefix.ts';
import { readOldPrefix } from './readJsonHead.ts';

/**
 * Reads the beginning of the Avro `Data` record: the description of the table and the position in the log.
 * @param payloads those of the first segments, in order.
 * @throws DataError when they are not all there.
 */
export function readAvroHead(payloads: readonly Payload[]): DataHead | undefined {
  const bytes = joinBytes(payloads);
  const endOfTable = checkArrays(bytes);
  const description = describe(bytes, endOfTable);
  const position = decodeAvro(positionType, bytes, endOfTable);
  if (description === undefined || position === undefined) return undefined;
  const { pkkey, commitlsn, sequencenumber } = position.value;
  return {
    ...description,
    key: pkkey.map(({ columnname, value }) => ({ column: columnname, value })),
    transaction: { commitlsn, sequencenumber },
    old: readOld(bytes, position.end),
  };
}

/** `old` follows `committime`, with `finalevent` before it in the newer revision: see `decodeTail`. */
function readOld(bytes: Buffer, start: number): ChangeHead['old'] {
  const cursor = new AvroCursor(bytes);
  cursor.at = start + ((bytes[start] ?? 0) > 1 ? 0 : 1);
  cursor.skipTexts(1);
  const length = cursor.readLong();
  if (cursor.failed || length < 0) return undefined;
  const end = cursor.at + length;
  if (end <= bytes.length) return readOldPrefix(bytes.toString('utf8', cursor.at, end));
  // A character that is cut comes out as another one, in a value that is cut and not used.
  return readOldPrefix(new Cut(bytes.toString('utf8', cursor.at)));
}
