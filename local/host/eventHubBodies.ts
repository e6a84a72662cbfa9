import type { HubMessage } from '../hubMessage.ts';
import type { Trigger } from './registeredFunction.ts';
import type { RpcTypedData } from './rpc.ts';
import { stringCollection } from './typedData.ts';

/**
 * The bodies of a batch as the host sends them, which depends on the trigger's `dataType`: `binary` keeps the bytes,
 * `string` decodes UTF-8 and drops empty bodies, anything else parses every body as JSON.
 * @throws when a body is not JSON and had to be: the host then fails the batch without calling the handler
 */
export function eventHubBodies(trigger: Trigger, messages: readonly HubMessage[]): RpcTypedData {
  if (String(trigger['cardinality'] ?? 'one').toLowerCase() !== 'many') {
    throw new Error(`Trigger "${trigger.name}" takes single messages; only cardinality 'many' is supported`);
  }
  switch (String(trigger['dataType'] ?? '').toLowerCase()) {
    case 'binary':
      return { collectionBytes: { bytes: messages.map(({ body }) => body) } };
    case 'string':
      return stringCollection(messages.map(({ body }) => decode(body)));
    default:
      return { json: JSON.stringify(messages.map(({ body }) => parse(trigger.name, decode(body)))) };
  }
}

const decode = (body: Uint8Array): string => Buffer.from(body).toString('utf8');

function parse(parameter: string, text: string): unknown {
  if (text === '') {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`Exception binding parameter '${parameter}': a message body is not JSON`, { cause });
  }
}
