import { avroData } from './avroMessage.ts';
import { chooseForm, type Form, firstIndexOf } from './form.ts';
import { jsonData } from './jsonMessage.ts';
import type { SimulationOptions } from './options.ts';
import type { Random } from './random.ts';
import type { SourceEvent } from './sourceEvent.ts';

/** A part of the serialized data of an event: what one message carries. */
export interface Segment {
  readonly event: SourceEvent;
  readonly form: Form;
  readonly index: number;
  /** Number of segments of the event. */
  readonly total: number;
  readonly final: boolean;
  readonly part: Buffer;
  /** JSON only: how `part` becomes a JSON string. */
  readonly jsonData: SimulationOptions['jsonData'];
}

/** Serializes an event and cuts its data by bytes. */
export function segmentsOf(event: SourceEvent, options: SimulationOptions, random: Random): Segment[] {
  const form = chooseForm(options, random);
  const data = form.encoding === 'avro' ? avroData(event, form.generation) : jsonData(event, form.generation);
  const wholeCharacters = form.encoding === 'json' && options.jsonData === 'text';
  const parts = cut(data, options.segmentBytes, wholeCharacters);
  const first = firstIndexOf(form, options);
  return parts.map((part, position) => ({
    event,
    form,
    index: first + position,
    total: parts.length,
    final: position === parts.length - 1,
    part,
    jsonData: options.jsonData,
  }));
}

/** Parts of at most `limit` bytes. Real text cannot hold half a character, so there the cut moves back. */
function cut(data: Buffer, limit: number, wholeCharacters: boolean): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  do {
    let end = Math.min(start + limit, data.length);
    while (wholeCharacters && end < data.length && continuesCharacter(data[end])) end -= 1;
    parts.push(data.subarray(start, end));
    start = end;
  } while (start < data.length);
  return parts;
}

function continuesCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
