import type { SimulationOptions } from '../simulation/options.ts';

/** A database of the shop and what its change event streaming was set up to send. */
export interface ShopSource {
  readonly db: string;
  readonly tables: readonly ShopTable[];
  /** Form of its messages. */
  readonly form: Pick<
    SimulationOptions,
    'encoding' | 'generation' | 'firstIndex' | 'segmentBytes' | 'jsonData' | 'changedColumnsOnly'
  >;
}

export interface ShopTable {
  readonly name: string;
  /** SQL types by column. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
}

/** Every table is in this schema. */
export const SHOP_SCHEMA = 'dbo';

/** A web shop whose databases were set up at different times, so that all generations and encodings occur. */
export const shopSources: readonly ShopSource[] = [
  {
    db: 'Shop',
    form: {
      encoding: 'json',
      generation: 'segment-final',
      firstIndex: 0,
      segmentBytes: 16_384,
      jsonData: 'text',
      changedColumnsOnly: false,
    },
    tables: [
      {
        name: 'Customers',
        columns: {
          customer_id: 'int',
          name: 'nvarchar(100)',
          city: 'nvarchar(50)',
          newsletter: 'bit',
          since: 'date',
        },
        key: ['customer_id'],
      },
      {
        name: 'Orders',
        columns: {
          order_id: 'bigint',
          customer_id: 'int',
          status: 'varchar(20)',
          total: 'decimal(9,2)',
          ordered_at: 'datetime2(3)',
          note: 'nvarchar(200)',
        },
        key: ['order_id'],
      },
      {
        name: 'OrderLines',
        columns: {
          order_id: 'bigint',
          line_no: 'smallint',
          sku: 'varchar(20)',
          quantity: 'int',
          price: 'decimal(9,2)',
        },
        key: ['order_id', 'line_no'],
      },
    ],
  },
  {
    db: 'Warehouse',
    form: {
      encoding: 'avro',
      generation: 'segment',
      firstIndex: 1,
      segmentBytes: 400,
      jsonData: 'text',
      changedColumnsOnly: true,
    },
    tables: [
      {
        name: 'Products',
        columns: {
          sku: 'varchar(20)',
          name: 'nvarchar(100)',
          stock: 'int',
          price: 'money',
          weight_kg: 'real',
          description: 'nvarchar(max)',
        },
        key: ['sku'],
      },
    ],
  },
  {
    db: 'Billing',
    form: {
      encoding: 'avro',
      generation: 'segment-final',
      firstIndex: 0,
      segmentBytes: 16_384,
      jsonData: 'text',
      changedColumnsOnly: false,
    },
    tables: [
      {
        name: 'Payments',
        columns: {
          payment_id: 'uniqueidentifier',
          order_id: 'bigint',
          amount: 'money',
          method: 'varchar(20)',
          paid_at: 'datetimeoffset(3)',
        },
        key: ['payment_id'],
      },
    ],
  },
  {
    db: 'Community',
    form: {
      encoding: 'json',
      generation: 'split',
      firstIndex: 0,
      segmentBytes: 700,
      jsonData: 'latin1',
      changedColumnsOnly: false,
    },
    tables: [
      {
        name: 'Reviews',
        columns: {
          review_id: 'int',
          sku: 'varchar(20)',
          stars: 'tinyint',
          text: 'nvarchar(max)',
          written_at: 'datetime',
        },
        key: ['review_id'],
      },
    ],
  },
];
