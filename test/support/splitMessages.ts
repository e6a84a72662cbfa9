import { avroData, avroMessage } from './avroMessage.ts';
import { jsonData, jsonMessage } from './jsonMessage.ts';
import type { TestEvent } from './testEvent.ts';

/** How the bytes of a part get into a message. */
export type SplitForm = 'text' | 'latin1' | 'base64' | 'raw' | 'avro';

export interface SplitOptions {
  readonly form: SplitForm;
  /** Index of the first segment. */
  readonly base: 0 | 1;
  /** Byte positions to cut `data` at, in any order; those outside it or twice make empty segments. */
  readonly cuts: readonly number[];
}

/** The messages of one event, in order. */
export function splitMessages(event: TestEvent, { form, base, cuts }: SplitOptions): Buffer[] {
  const data = form === 'avro' ? avroData(event) : Buffer.from(JSON.stringify(jsonData(event)), 'utf8');
  const bounds = [0, ...cuts.map((cut) => Math.min(cut, data.length)).sort((a, b) => a - b), data.length];
  return bounds.slice(1).map((end, position) => {
    let start = bounds[position] ?? 0;
    let stop = end;
    if (form === 'text') {
      // Real text cannot hold half a character.
      start = wholeCharacter(data, start);
      stop = wholeCharacter(data, stop);
    }
    const last = position === bounds.length - 2;
    return message(event, data.subarray(start, stop), form, base + position, last);
  });
}

function wholeCharacter(data: Buffer, at: number): number {
  let moved = at;
  while (moved < data.length && ((data[moved] ?? 0) & 0xc0) === 0x80) moved -= 1;
  return moved;
}

function message(
  event: TestEvent,
  part: Buffer,
  form: SplitForm,
  segmentindex: number,
  finalsegment: boolean,
): Buffer {
  switch (form) {
    case 'text':
      return jsonMessage(event, { segmentindex, finalsegment, data: part.toString('utf8') });
    case 'latin1':
      return jsonMessage(event, { segmentindex, finalsegment, data: part.toString('latin1') });
    case 'base64':
      return jsonMessage(event, {
        segmentindex,
        finalsegment,
        data: undefined,
        data_base64: part.toString('base64'),
      });
    case 'raw':
      // As a sender writes it that does not look at characters: escaped, but cut inside them.
      return Buffer.from(
        jsonMessage(event, { segmentindex, finalsegment, data: part.toString('latin1') }).toString('utf8'),
        'latin1',
      );
    case 'avro':
      return avroMessage(event, part, { segmentindex, finalsegment });
    default:
      return form satisfies never;
  }
}
