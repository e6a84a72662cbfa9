import type { InvocationContext } from '@azure/functions';
import type { Message, MessageSource } from '../model/message.ts';

/**
 * Maps what the Event Hubs trigger hands over to messages. Of the metadata only `systemPropertiesArray` is used:
 * the other arrays drop nulls and get out of step. Metadata that is missing or of another length is left out.
 */
export function readTrigger(input: unknown, context: InvocationContext): readonly Message[] {
  const bodies = Array.isArray(input) ? input : [input];
  const metadata = asObject(context.triggerMetadata);
  const partition = asObject(metadata?.['partitionContext']);
  const properties = metadata?.['systemPropertiesArray'];
  const aligned = Array.isArray(properties) && properties.length === bodies.length ? properties : [];
  return bodies.map((body, index) => ({
    body: toBuffer(body),
    source: { ...sourceOfPartition(partition), ...sourceOfMessage(asObject(aligned[index])) },
    ...(hasKey(asObject(aligned[index])) && { keyed: true as const }),
  }));
}

/** With `dataType: binary` bodies are Buffers. The admin endpoint of the host can hand over anything. */
function toBuffer(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  return Buffer.from(JSON.stringify(body) ?? '', 'utf8');
}

function sourceOfPartition(partition: Fields | undefined): MessageSource {
  const hub = textOf(partition?.['eventHubName']);
  const id = textOf(partition?.['partitionId']);
  return { ...(hub !== undefined && { hub }), ...(id !== undefined && { partition: id }) };
}

function sourceOfMessage(properties: Fields | undefined): MessageSource {
  const sequenceNumber = textOf(properties?.['sequenceNumber']);
  const offset = textOf(properties?.['offsetString'] ?? properties?.['offset']);
  const enqueuedTime = textOf(properties?.['enqueuedTimeUtc']);
  return {
    ...(sequenceNumber !== undefined && { sequenceNumber }),
    ...(offset !== undefined && { offset }),
    ...(enqueuedTime !== undefined && { enqueuedTime: withZone(enqueuedTime) }),
  };
}

function hasKey(properties: Fields | undefined): boolean {
  return textOf(properties?.['partitionKey']) !== undefined;
}

/** The host writes UTC times without a zone. */
function withZone(time: string): string {
  return /(Z|[+-]\d{2}:?\d{2})$/.test(time) ? time : `${time}Z`;
}

type Fields = Readonly<Record<string, unknown>>;

function asObject(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
