import {
  bigint,
  bit,
  decimal,
  float,
  int,
  intKey,
  money,
  real,
  smallint,
  smallmoney,
  tinyint,
} from './numberTypes.ts';
import type { SqlType } from './sqlValue.ts';
import {
  binary,
  char,
  nchar,
  nvarchar,
  nvarcharKey,
  nvarcharLarge,
  nvarcharMax,
  uniqueidentifier,
  unknownType,
  varbinary,
  varchar,
} from './textTypes.ts';
import { date, datetime, datetime2, datetimeoffset, smalldatetime, time } from './timeTypes.ts';

/** A column; key columns are never NULL. */
export interface Column {
  readonly name: string;
  readonly type: SqlType;
  readonly key: boolean;
  readonly nullable: boolean;
}

/** A table of the simulated source. */
export interface Table {
  readonly db: string;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly Column[];
}

/**
 * The tables of the source. `segmentBytes` decides how long the longest texts are, `largeValueBytes` how long those of
 * rows that do not fit into an item.
 */
export function sourceTables(segmentBytes: number, largeValueBytes: number): Table[] {
  const scans = { db: 'Shop', schema: 'dbo', name: 'Scans', columns: scanColumns(largeValueBytes) };
  return [
    ...(largeValueBytes === 0 ? [] : [scans]),
    { db: 'Shop', schema: 'dbo', name: 'Purchases', columns: purchaseColumns },
    // Same name and same keys as above: only the schema tells them apart.
    { db: 'Shop', schema: 'archive', name: 'Purchases', columns: purchaseColumns },
    { db: 'Shop', schema: 'sales', name: 'Order Lines', columns: orderLineColumns },
    { db: 'Shop', schema: 'dbo', name: 'Documents', columns: documentColumns(segmentBytes) },
    { db: 'Shop', schema: 'dbo', name: 'Every Type', columns: everyTypeColumns },
    { db: 'Plant', schema: 'dbo', name: 'Odd.Names', columns: oddNameColumns },
    { db: 'Plant', schema: 'dbo', name: 'Readings', columns: readingColumns },
  ];
}

const purchaseColumns: readonly Column[] = [
  key('purchase_id', intKey),
  required('customer_name', varchar(100)),
  nullable('product_id', int),
  nullable('price_per_item', smallmoney),
  nullable('total', decimal(18, 2)),
  required('quantity', smallint),
  required('purchase_date', datetime),
  nullable('paid', bit),
];

const orderLineColumns: readonly Column[] = [
  nullable('note', nvarchar(200)),
  key('order_id', intKey),
  nullable('amount', money),
  key('line code', nvarcharKey(60)),
  nullable('share', decimal(9, 4)),
];

function documentColumns(segmentBytes: number): readonly Column[] {
  return [
    key('doc_id', uniqueidentifier),
    required('title', nvarchar(50)),
    nullable('body', nvarcharMax(segmentBytes)),
    nullable('changed', datetimeoffset(7)),
    nullable('checksum', varbinary(16)),
  ];
}

const PAGES = 10;

function scanColumns(largeValueBytes: number): readonly Column[] {
  const pages = Array.from({ length: PAGES }, (_, page) =>
    nullable(`page${page}`, nvarcharLarge(largeValueBytes)),
  );
  return [key('scan_id', intKey), ...pages, nullable('seen', bit)];
}

/** Names that mean something to Cosmos DB or to JavaScript. */
const oddNameColumns: readonly Column[] = [
  key('id', bigint),
  nullable('ttl', int),
  nullable('_ts', bigint),
  nullable('__proto__', nvarchar(50)),
  nullable('constructor', varchar(50)),
  nullable('_ces', nvarchar(50)),
  nullable('größe / 大きさ', nvarchar(50)),
];

/** The other types, with a date and time in the key. */
const readingColumns: readonly Column[] = [
  key('sensor', smallint),
  key('taken', datetime2(7)),
  nullable('level', tinyint),
  nullable('reading', float),
  nullable('estimate', real),
  nullable('counted', decimal(15, 0, 'numeric')),
  nullable('weighed', decimal(16, 3, 'numeric')),
  nullable('exact', decimal(38, 10)),
  nullable('day', date),
  nullable('at', time(7)),
  nullable('whole_second', datetime2(0)),
  nullable('minute', smalldatetime),
  nullable('code', char(10)),
];

/** One of every type that is streamed, by its name; of those with a scale or a length several. */
const everyTypeColumns: readonly Column[] = [
  key('key', intKey),
  ...[
    ...[bit, tinyint, smallint, int, bigint, smallmoney, money, real, float],
    ...[decimal(9, 2), decimal(15, 15), decimal(38, 38)],
    ...[decimal(15, 5, 'numeric'), decimal(16, 5, 'numeric')],
    ...[date, datetime, smalldatetime],
    ...[0, 3, 7].flatMap((scale) => [time(scale), datetime2(scale), datetimeoffset(scale)]),
    ...[char(5), varchar(20), varchar('max'), nchar(5), nvarchar(20), nvarcharMax(16)],
    ...[uniqueidentifier, binary(4), varbinary(8), varbinary('max'), unknownType],
  ].map((type) => nullable(type.name, type)),
];

function key(name: string, type: SqlType): Column {
  return { name, type, key: true, nullable: false };
}

function required(name: string, type: SqlType): Column {
  return { name, type, key: false, nullable: false };
}

function nullable(name: string, type: SqlType): Column {
  return { name, type, key: false, nullable: true };
}
