/** One event as a test writes it; both encodings are made of it. Images are the JSON text that CES puts there. */
export interface TestEvent {
  readonly logicalid: string;
  readonly operation: string;
  readonly time: string;
  readonly db: string;
  readonly schema: string;
  readonly tbl: string;
  readonly cols: readonly { readonly name: string; readonly type: string; readonly index: number }[];
  readonly pkkey: readonly { readonly columnname: string; readonly value: string }[];
  readonly commitlsn: string;
  readonly sequencenumber: number;
  readonly old: string;
  readonly current: string;
}

const STREAM_GROUP = '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0';

/** An insert into `shop.dbo.Items` at log position `position`; `overrides` replace what they name. */
export function insertEvent(id: number, position: number, overrides: Partial<TestEvent> = {}): TestEvent {
  const lsn = position.toString(16).toUpperCase().padStart(20, '0');
  return {
    logicalid: `${STREAM_GROUP}:${lsn}:00000000000000000001`,
    operation: 'INS',
    time: '2026-08-07T16:25:00.890Z',
    db: 'shop',
    schema: 'dbo',
    tbl: 'Items',
    cols: [
      { name: 'Id', type: 'int', index: 0 },
      { name: 'Name', type: 'nvarchar(50)', index: 1 },
    ],
    pkkey: [{ columnname: 'Id', value: String(id) }],
    commitlsn: `${lsn.slice(0, 8)}:${lsn.slice(8, 16)}:${lsn.slice(16)}`,
    sequencenumber: 1,
    old: '{}',
    current: JSON.stringify({ Id: String(id), Name: `name ${position}` }),
    ...overrides,
  };
}
