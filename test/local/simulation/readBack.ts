import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import type { HubMessage } from '../../../local/hubMessage.ts';
import type { Simulation } from '../../../local/simulation/simulate.ts';

/** One message, read the plainest way. */
export interface ReadMessage {
  readonly message: HubMessage;
  readonly encoding: 'json' | 'avro';
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly id: string;
  readonly logicalId: string;
  readonly operation: string;
  readonly index: number;
  readonly final: boolean;
  readonly data: string | Buffer;
}

/** The decoded `data` of an event. */
export interface ReadPayload {
  readonly eventsource: {
    readonly db: string;
    readonly schema: string;
    readonly tbl: string;
    readonly cols: readonly { name: string; type: string; index: number }[];
    readonly pkkey: readonly { columnname: string; value: string }[];
    readonly transaction?: Readonly<Record<string, unknown>>;
  };
  readonly eventrow: { readonly old: string; readonly current: string };
}

export interface ReadEvent {
  readonly logicalId: string;
  readonly operation: string;
  readonly segments: readonly ReadMessage[];
  readonly payload: ReadPayload;
}

export function caseText(name: string): string {
  return readFileSync(new URL(`../../cases/${name}`, import.meta.url), 'utf8');
}

const changeEvent = avsc.Type.forSchema(JSON.parse(caseText('change-event.avsc')));
const dataWithout = avsc.Type.forSchema(JSON.parse(caseText('data-without-finalevent.avsc')));
const dataWith = avsc.Type.forSchema(JSON.parse(caseText('data-with-finalevent.avsc')));

export function allMessages(simulation: Simulation): HubMessage[] {
  return simulation.batches.flatMap((batch) => batch.messages);
}

export function readMessage(message: HubMessage): ReadMessage {
  const body = Buffer.from(message.body);
  const encoding = body[0] === 0x7b ? 'json' : 'avro';
  const envelope = encoding === 'json' ? JSON.parse(body.toString('utf8')) : changeEvent.fromBuffer(body);
  const split = 'splitindex' in envelope;
  return {
    message,
    encoding,
    envelope,
    id: envelope.id,
    logicalId: envelope.logicalid,
    operation: envelope.operation,
    index: split ? envelope.splitindex : envelope.segmentindex,
    final: split ? envelope.splitindex === Math.max(envelope.splittotalcnt - 1, 0) : envelope.finalsegment,
    data: envelope.data,
  };
}

/** Every event, whole, in the order of the logical ids. Throws when a segment is missing. */
export function readEvents(simulation: Simulation): ReadEvent[] {
  const groups = Map.groupBy(allMessages(simulation).map(readMessage), (read) => read.logicalId);
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([logicalId, copies]) => {
      const segments = [...new Map(copies.map((copy) => [copy.index, copy])).values()].sort(
        (a, b) => a.index - b.index,
      );
      const [first] = segments;
      const last = segments.at(-1);
      if (
        first === undefined ||
        last === undefined ||
        !last.final ||
        last.index - first.index !== segments.length - 1
      ) {
        throw new Error(`${logicalId} is not whole`);
      }
      return { logicalId, operation: first.operation, segments, payload: decode(segments) };
    });
}

function decode(segments: readonly ReadMessage[]): ReadPayload {
  if (segments[0]?.encoding === 'json') return JSON.parse(asText(segments.map(({ data }) => data).join('')));
  const bytes = Buffer.concat(
    segments.map(({ data }) => (typeof data === 'string' ? Buffer.alloc(0) : data)),
  );
  try {
    return dataWithout.fromBuffer(bytes);
  } catch {
    return dataWith.fromBuffer(bytes);
  }
}

/** Bytes written one character each, if that is what the text can be; else the text itself. */
function asText(joined: string): string {
  const bytes = Buffer.from(joined, 'latin1');
  if (bytes.toString('latin1') !== joined) return joined;
  try {
    return new TextDecoder('utf8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return joined;
  }
}
