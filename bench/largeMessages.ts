import { avroMessage } from '../local/simulation/avroMessage.ts';
import { jsonMessage } from '../local/simulation/jsonMessage.ts';
import { defaultSimulationOptions } from '../local/simulation/options.ts';
import { Random } from '../local/simulation/random.ts';
import { segmentsOf } from '../local/simulation/segments.ts';
import type { RowImage, SourceEvent } from '../local/simulation/sourceEvent.ts';

export interface LargeBatch {
  readonly encoding: 'json' | 'avro';
  /** Messages of each event; what makes an event of more than two is more than an item may hold. */
  readonly segments: number;
  readonly messages: number;
}

/** Bytes of data in a message: with its envelope a little below the 1 MB that Event Hubs allows. */
const DATA_BYTES = 1_000_000;
/** Bytes left for what surrounds the large value. */
const ROOM_BYTES = 2_000;

/** The bodies of a batch of the largest messages there are: inserts of rows with one large value. */
export function largeMessages({ encoding, segments, messages }: LargeBatch): Buffer[] {
  const options = { ...defaultSimulationOptions, encoding, segmentBytes: DATA_BYTES };
  const write = encoding === 'avro' ? avroMessage : jsonMessage;
  const random = new Random(1, 'large');
  return Array.from({ length: messages / segments }, (_, row) =>
    segmentsOf(insertOf(row, segments * DATA_BYTES - ROOM_BYTES), options, random).map((segment) =>
      write(segment, random.guid()),
    ),
  ).flat();
}

function insertOf(row: number, bytes: number): SourceEvent {
  const lsn = { file: 0x2c, block: 0x300, slot: row + 1 };
  const columns = [
    { name: 'id', type: 'int', index: 0 },
    { name: 'content', type: 'nvarchar(max)', index: 1 },
  ];
  const current: RowImage = [
    ['id', String(row)],
    ['content', 'text '.repeat(bytes / 'text '.length)],
  ];
  return {
    streamGroup: '1bf2756a-c15f-4d2e-a2d5-7d3f9dbf85b0',
    commitLsn: lsn,
    beginLsn: lsn,
    sequence: 1,
    tableSequence: 1,
    time: '2026-08-07T16:25:00.890Z',
    commitTime: '2026-08-07T16:25:00.890Z',
    operation: 'INS',
    db: 'shop',
    schema: 'dbo',
    table: 'Documents',
    columns,
    key: [{ columnname: 'id', value: String(row) }],
    old: [],
    current,
    whole: { columns, old: [], current },
  };
}
