import { defaultDebeziumOptions } from '../../src/debezium/debeziumOptions.ts';
import { DataError } from '../../src/errors/dataError.ts';
import type { Segment } from '../../src/model/segment.ts';
import { tableText } from '../../src/model/table.ts';
import { type ReadBody, readBody } from '../../src/steps/readBody.ts';

export interface Envelope {
  /** Attributes of the message, without the row; missing when there is nothing to tell them from. */
  readonly envelope?: Readonly<Record<string, string | number | boolean | null>>;
  /** Why the message cannot be read. */
  readonly unreadable?: string;
}

/** Longest attribute shown, in characters, and most attributes. */
const MAX_ATTRIBUTE = 200;
const MAX_ATTRIBUTES = 50;
/** Attributes of CloudEvents and CES. Whatever else is in a message could be the row, put in the wrong place. */
const KNOWN = new Set([
  'specversion',
  'type',
  'source',
  'subject',
  'id',
  'logicalid',
  'time',
  'datacontenttype',
  'dataschema',
  'operation',
  'segmentindex',
  'finalsegment',
  'splitindex',
  'splittotalcnt',
]);
/** How far a broken message is looked through, in characters. */
const MAX_HEAD = 4_000;
/** Where a CloudEvent has its content. */
const CONTENT = new Set(['data', 'data_base64']);
const NOT_SHOWN = '(not shown)';

/** What a message says of itself, readable or not, but nothing of the row. */
export function envelopeOf(body: Buffer): Envelope {
  const attributes = jsonAttributes(body);
  try {
    const read = readBody(body, defaultDebeziumOptions);
    if (read.kind !== 'segment') return { envelope: { format: 'Debezium', ...debeziumAttributes(read) } };
    return { envelope: attributes ?? segmentAttributes(read.segment) };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    return { ...(attributes !== undefined && { envelope: attributes }), unreadable: error.message };
  }
}

type Attributes = NonNullable<Envelope['envelope']>;

function segmentAttributes({ logicalId, operation, time, index, final, encoding }: Segment): Attributes {
  return {
    logicalid: logicalId.text,
    operation,
    time,
    segmentindex: index,
    finalsegment: final,
    encoding,
  };
}

function debeziumAttributes(read: Exclude<ReadBody, { kind: 'segment' }>): Attributes {
  switch (read.kind) {
    case 'change': {
      const { operation, table, time, position } = read.change;
      return {
        operation,
        table: cut(tableText(table)),
        time,
        lsn: position.lsn,
        sequence: position.sequence,
      };
    }
    case 'boundary':
      return { status: read.boundary.status, lsn: read.boundary.lsn };
    case 'ignored':
      return { what: read.what };
    default:
      return read satisfies never;
  }
}

function jsonAttributes(body: Buffer): Envelope['envelope'] {
  const text = body.toString('utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return brokenAttributes(text);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  return Object.fromEntries(
    Object.entries(parsed)
      .filter(([name]) => !CONTENT.has(name))
      .slice(0, MAX_ATTRIBUTES)
      .map(([name, value]: [string, unknown]) => [cut(name), KNOWN.has(name) ? scalarOf(value) : NOT_SHOWN]),
  );
}

/** Of a CloudEvent that is not quite JSON, most often since its end is missing: the attributes before the content. */
function brokenAttributes(text: string): Envelope['envelope'] {
  const head = text.slice(0, MAX_HEAD).split(/"data(?:_base64)?"/, 1)[0] ?? '';
  if (!head.includes('"specversion"')) return undefined;
  return Object.fromEntries(
    [...head.matchAll(/"([a-z]+)"\s*:\s*("[^"\\]*"|\d+|true|false|null)/g)]
      .filter(([, name = '']) => KNOWN.has(name))
      .map(([, name = '', value = '']) => [name, scalarOf(JSON.parse(value))]),
  );
}

function scalarOf(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return cut(value);
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : NOT_SHOWN;
}

function cut(text: string): string {
  return text.length > MAX_ATTRIBUTE ? `${text.slice(0, MAX_ATTRIBUTE)}…` : text;
}
