import { DataError } from '../errors/dataError.ts';
import { MAX_SEGMENT_INDEX } from '../limits.ts';
import { type LogicalId, parseLogicalId } from '../model/logicalId.ts';
import { isOperation, type Operation, operations } from '../model/operation.ts';

/** The CloudEvents `type` of CES row changes (CES message format, attribute `type`). */
export const CES_TYPE = 'com.microsoft.SQL.CES.DML.V1';

/** The attributes that both encodings share, checked the same way. */
export interface EnvelopeAttributes {
  readonly logicalId: LogicalId;
  readonly operation: Operation;
}

/** @throws DataError for a foreign type, an unknown operation or a `logicalid` without a version. */
export function checkEnvelope(type: string, logicalid: string, operation: string): EnvelopeAttributes {
  if (type !== CES_TYPE) {
    throw new DataError('unknown-type', `type is ${quoted(type)}, expected "${CES_TYPE}"`);
  }
  if (!isOperation(operation)) {
    throw new DataError(
      'unknown-operation',
      `operation is ${quoted(operation)}, expected ${operations.join(', ')}`,
    );
  }
  const logicalId = parseLogicalId(logicalid);
  if (logicalId === undefined) {
    throw new DataError(
      'invalid-logical-id',
      `logicalid is ${quoted(logicalid)}, expected <GUID>:<20 hex digits>:<sequence number>`,
    );
  }
  return { logicalId, operation };
}

/** @throws DataError when `index` cannot be the place of a segment. */
export function checkSegmentIndex(attribute: string, index: number): number {
  if (!Number.isInteger(index) || index < 0 || index > MAX_SEGMENT_INDEX) {
    throw new DataError(
      'invalid-segment',
      `${attribute} is ${index}, expected an integer from 0 to ${MAX_SEGMENT_INDEX}`,
    );
  }
  return index;
}

const LONGEST_QUOTE = 100;

function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text);
}
