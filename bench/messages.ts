import type { HubMessage } from '../local/hubMessage.ts';

export interface PurchaseChange {
  readonly operation: 'INS' | 'UPD';
  readonly purchase: number;
  /** Counts up with time. */
  readonly lsn: number;
  /** Number within the transaction, 1 unless given. */
  readonly sequence?: number;
}

/** A CES message in the shape of the published example, about 1.5 KB. */
export function purchaseMessage(change: PurchaseChange): HubMessage {
  const { operation, purchase, lsn, sequence = 1 } = change;
  const digits = lsn.toString(16).toUpperCase().padStart(8, '0');
  const current = rowOf(purchase, lsn);
  const old = operation === 'INS' ? {} : rowOf(purchase, lsn - 1);
  const data = {
    eventsource: {
      db: 'shop',
      schema: 'dbo',
      tbl: 'Purchases',
      cols: columns,
      pkkey: [{ columnname: 'purchase_id', value: String(purchase) }],
      transaction: {
        commitlsn: `0000002C:${digits}:0001`,
        beginlsn: `0000002C:${digits}:0000`,
        sequencenumber: sequence,
        finalevent: false,
        committime: '2026-08-07T16:25:00.890Z',
      },
    },
    eventrow: { old: JSON.stringify(old), current: JSON.stringify(current) },
  };
  const envelope = {
    specversion: '1.0',
    type: 'com.microsoft.SQL.CES.DML.V1',
    source: '/',
    id: '56cb8ff3-5c55-4f3b-a7f7-b044d1933ef6',
    logicalid: `1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0:0000002C${digits}0001:${String(sequence).padStart(20, '0')}`,
    time: '2026-08-07T16:25:00.890Z',
    datacontenttype: 'application/json',
    operation,
    segmentindex: 0,
    finalsegment: true,
    data: JSON.stringify(data),
  };
  return {
    body: Buffer.from(JSON.stringify(envelope)),
    partitionId: '0',
    sequenceNumber: lsn,
    offset: String(lsn * 2048),
    enqueuedTime: '2026-08-07T16:25:01.000Z',
    partitionKey: null,
  };
}

const columns = [
  ['purchase_id', 'int'],
  ['customer_name', 'varchar(100)'],
  ['product_id', 'int'],
  ['product_name', 'varchar(100)'],
  ['price_per_item', 'int'],
  ['quantity', 'int'],
  ['purchase_date', 'datetime'],
  ['payment_method', 'varchar(50)'],
].map(([name, type], index) => ({ name, type, index }));

function rowOf(purchase: number, lsn: number): Record<string, string> {
  return {
    purchase_id: String(purchase),
    customer_name: 'Anna Doe',
    product_id: '101',
    product_name: 'Game 2077',
    price_per_item: String(lsn),
    quantity: '1',
    purchase_date: '2025-03-14 16:45:01.000',
    payment_method: 'Credit Card',
  };
}
