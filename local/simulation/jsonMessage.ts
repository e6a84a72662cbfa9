import { envelopeHead } from './envelope.ts';
import type { Form } from './form.ts';
import { cesJson, payloadOf } from './payload.ts';
import type { Segment } from './segments.ts';
import type { SourceEvent } from './sourceEvent.ts';

/** White space of the published messages; nothing may depend on it. */
const DATA_INDENT: Record<Form['generation'], number> = { split: 2, segment: 2, 'segment-final': 0 };
const ENVELOPE_INDENT: Record<Form['generation'], number> = { split: 2, segment: 4, 'segment-final': 1 };

/** The whole `data` of an event as UTF-8: JSON that holds the rows as JSON strings. */
export function jsonData(event: SourceEvent, generation: Form['generation']): Buffer {
  return Buffer.from(cesJson(payloadOf(event, generation), DATA_INDENT[generation]), 'utf8');
}

/** One message of the JSON encoding. */
export function jsonMessage(segment: Segment, id: string): Buffer {
  const { generation } = segment.form;
  const envelope = {
    ...envelopeHead(segment, id),
    ...segmentFields(segment),
    data: segment.part.toString(segment.jsonData === 'latin1' ? 'latin1' : 'utf8'),
  };
  const text = cesJson(envelope, ENVELOPE_INDENT[generation]);
  // The newest generation breaks lines without indenting them; a string never has a raw line break.
  return Buffer.from(generation === 'segment-final' ? text.replaceAll('\n ', '\n') : text, 'utf8');
}

function segmentFields({ form, index, total, final }: Segment): Record<string, number | boolean> {
  switch (form.generation) {
    case 'split':
      return { splitindex: index, splittotalcnt: total === 1 ? 0 : total };
    case 'segment':
    case 'segment-final':
      return { segmentindex: index, finalsegment: final };
    default:
      return form.generation satisfies never;
  }
}
