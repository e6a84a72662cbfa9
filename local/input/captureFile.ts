import { createReadStream } from 'node:fs';
import { inflateRaw } from 'node:zlib';
import avro from 'avsc';
import type { HubMessage } from '../hubMessage.ts';
import type { InputMessage } from './batches.ts';
import { capturePartition } from './capturePartition.ts';
import { captureTime } from './captureTime.ts';
import { InputError } from './inputError.ts';
import type { InputFile } from './inputFiles.ts';
import { MAX_CAPTURE_BLOCK_BYTES } from './limits.ts';
import { readBytes } from './readBytes.ts';

/**
 * Reads a file of Event Hubs Capture, an Avro object container (codecs null and deflate) with one record a
 * message. The partition comes from the folders the file lies in, or is "0". Capture also writes files
 * without messages.
 *
 * @throws {InputError} before the first message if the file was cut short, is not from Capture or has another
 *   codec; at the message in question if one cannot be read
 */
export async function* readCaptureFile(file: InputFile): AsyncGenerator<InputMessage> {
  const partitionId = capturePartition(file.path);
  try {
    for await (const record of recordsOf(file)) {
      yield { message: toMessage(record, partitionId), group: file.path };
    }
  } catch (error) {
    throw notReadable(file.path, error);
  }
}

function notReadable(path: string, error: unknown): InputError {
  if (error instanceof InputError) {
    return error;
  }
  const problem = error instanceof Error ? error.message.slice(0, MAX_PROBLEM_CHARACTERS) : String(error);
  const line = problem.replace(/\s+/g, ' ');
  const advice = 'copy it from the storage account again, or leave it out';
  return new InputError(path, `cannot be read as an Event Hubs Capture file: ${line}; ${advice}`, {
    cause: error,
  });
}

/** Messages of the Avro library can quote whole schemas. */
const MAX_PROBLEM_CHARACTERS = 200;

interface CaptureRecord {
  readonly SequenceNumber: number;
  readonly Offset: string;
  readonly EnqueuedTimeUtc: string;
  readonly SystemProperties: Readonly<Record<string, { readonly string?: string }>>;
  readonly Body: Buffer | null;
}

/** The fields of Capture's schema that are used; Avro's schema resolution skips the others (`Properties`). */
const CAPTURE_TYPE = avro.Type.forSchema({
  type: 'record',
  name: 'EventData',
  namespace: 'Microsoft.ServiceBus.Messaging',
  fields: [
    { name: 'SequenceNumber', type: 'long' },
    { name: 'Offset', type: 'string' },
    { name: 'EnqueuedTimeUtc', type: 'string' },
    {
      name: 'SystemProperties',
      type: { type: 'map', values: ['long', 'double', 'string', 'bytes'] },
      default: {},
    },
    { name: 'Body', type: ['null', 'bytes'] },
  ],
});

async function* recordsOf(file: InputFile): AsyncGenerator<CaptureRecord> {
  const end = await readBytes(file.path, Math.max(0, file.size - SYNC_MARKER_BYTES), SYNC_MARKER_BYTES);
  const decoder = new avro.streams.BlockDecoder({
    readerSchema: CAPTURE_TYPE,
    parseHook: captureTypeOf,
    codecs: CODECS,
  });
  const source = createReadStream(file.path, { highWaterMark: READ_BYTES });
  let isWhole = false;
  decoder.once('metadata', (_type: unknown, _codec: unknown, header: { readonly sync: Buffer }) => {
    isWhole = header.sync.equals(end);
    if (!isWhole) {
      decoder.destroy(new Error(CUT_SHORT));
    }
  });
  // The decoder can report a later block after its reader has left: nobody is there to hear it.
  decoder.on('error', () => {});
  source.once('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    yield* decoder;
  } finally {
    source.destroy();
    decoder.destroy();
  }
  if (!isWhole) {
    throw new Error(CUT_SHORT);
  }
}

/** The type of a file's records, if Capture's fields can be read from it. */
function captureTypeOf(schema: Parameters<typeof avro.Type.forSchema>[0]): avro.Type {
  const type = avro.Type.forSchema(schema);
  try {
    CAPTURE_TYPE.createResolver(type);
  } catch (cause) {
    throw new Error('its records are not the EventData of Capture', { cause });
  }
  return type;
}

/**
 * A container ends with the sync marker of its header. The decoder does not check that: it would drop the
 * last block of a file that was cut short. (A cut exactly between two blocks cannot be seen.)
 */
const SYNC_MARKER_BYTES = 16;
const CUT_SHORT = 'it is cut short or damaged at its end';

/** The decoder copies what it has of a block at each read, so reads are not small. */
const READ_BYTES = 1024 * 1024;

type Decompressed = (error: Error | null, block?: Buffer) => void;

const CODECS = {
  null: (block: Buffer, done: Decompressed) => done(null, block),
  deflate: (block: Buffer, done: Decompressed) =>
    inflateRaw(block, { maxOutputLength: MAX_CAPTURE_BLOCK_BYTES }, done),
};

function toMessage(record: CaptureRecord, partitionId: string): HubMessage {
  return {
    body: record.Body ?? new Uint8Array(),
    partitionId,
    sequenceNumber: record.SequenceNumber,
    offset: record.Offset,
    enqueuedTime: captureTime(record.EnqueuedTimeUtc),
    partitionKey: record.SystemProperties['x-opt-partition-key']?.string ?? null,
  };
}
