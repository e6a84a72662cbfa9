import { once } from 'node:events';
import avro from 'avsc';

/** A record as Capture writes it; map values are Avro unions with the branch named. */
export interface CaptureFixtureRecord {
  readonly SequenceNumber: number;
  readonly Offset: string;
  readonly EnqueuedTimeUtc: string;
  readonly SystemProperties: Readonly<Record<string, object>>;
  readonly Properties: Readonly<Record<string, object>>;
  readonly Body: Buffer | null;
}

/** The schema in the files of Event Hubs Capture, as its documentation prints it. */
const CAPTURE_FILE_TYPE = avro.Type.forSchema({
  type: 'record',
  name: 'EventData',
  namespace: 'Microsoft.ServiceBus.Messaging',
  fields: [
    { name: 'SequenceNumber', type: 'long' },
    { name: 'Offset', type: 'string' },
    { name: 'EnqueuedTimeUtc', type: 'string' },
    { name: 'SystemProperties', type: { type: 'map', values: ['long', 'double', 'string', 'bytes'] } },
    { name: 'Properties', type: { type: 'map', values: ['long', 'double', 'string', 'bytes'] } },
    { name: 'Body', type: ['null', 'bytes'] },
  ],
});

/** A record with these fields, the others as Capture would write them. */
export function captureRecord(fields: Partial<CaptureFixtureRecord>): CaptureFixtureRecord {
  return {
    SequenceNumber: 0,
    Offset: '0',
    EnqueuedTimeUtc: '8/7/2026 4:25:00 PM',
    SystemProperties: {},
    Properties: {},
    Body: Buffer.from('x'),
    ...fields,
  };
}

/** How a container is written: codec, bytes of a block before compression, type of its records. */
export interface ContainerOptions {
  readonly codec?: 'null' | 'deflate' | 'snappy';
  readonly blockSize?: number;
  readonly type?: avro.Type;
}

/** The bytes of an Avro container file with these records. */
export async function container(
  records: readonly unknown[],
  options: ContainerOptions = {},
): Promise<Buffer> {
  const { codec = 'null', blockSize = 65_536, type = CAPTURE_FILE_TYPE } = options;
  const codecs = { ...avro.streams.BlockEncoder.defaultCodecs(), snappy: storeAsIs };
  const encoder = new avro.streams.BlockEncoder(type, { writeHeader: 'always', codec, codecs, blockSize });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(encoder, 'end');
  for (const record of records) {
    encoder.write(record);
  }
  encoder.end();
  await ended;
  return Buffer.concat(chunks);
}

/** For a codec that only has to be named in the header. */
function storeAsIs(block: Buffer, done: (error: Error | null, block?: Buffer) => void): void {
  done(null, block);
}
