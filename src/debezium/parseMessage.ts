import { DataError } from '../errors/dataError.ts';
import { isJsonObject, type JsonObject, parseJsonObject, parseKeepingNumbers } from '../json.ts';

export interface ParsedMessage {
  readonly message: JsonObject;
  /** The same once more, with every number outside the schema as the text it was written as. */
  readonly exact: () => JsonObject;
}

const where = 'the message';
/**
 * What stands between schema and payload as the converter writes them. The quotes are not escaped, so it is never
 * part of a value.
 */
const AFTER_SCHEMA = ',"payload":';

/**
 * Parses a message. Its schema is most of it, and the same in message after message: what stands there again word for
 * word is not parsed again, and gives the same object.
 * @returns undefined when the text is not a JSON object.
 */
export function parseMessage(text: string): ParsedMessage | undefined {
  const end = text.indexOf(AFTER_SCHEMA);
  const schema = end < 0 ? undefined : schemaOf(text.slice(0, end));
  if (schema !== undefined) {
    const rest = `{${text.slice(end + 1)}`;
    const payload = parse(rest);
    if (payload !== undefined) {
      const exact = () => ({ schema, ...parseKeepingNumbers(rest, where) });
      return { message: { schema, ...payload }, exact };
    }
  }
  const message = parse(text);
  return message === undefined ? undefined : { message, exact: () => parseKeepingNumbers(text, where) };
}

function parse(text: string): JsonObject | undefined {
  try {
    return parseJsonObject(text, where);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

const known = new Map<string, JsonObject>();
let knownCharacters = 0;
/** Characters of all schemas kept: hundreds of tables. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** @param written the message up to the end of its schema. */
function schemaOf(written: string): JsonObject | undefined {
  const there = known.get(written);
  if (there !== undefined) return there;
  const message = parse(`${written}}`);
  const schema = message?.['schema'];
  if (message === undefined || Object.keys(message).length > 1 || !isJsonObject(schema)) return undefined;
  if (written.length > MOST_CHARACTERS) return schema;
  if (knownCharacters + written.length > MOST_CHARACTERS) {
    known.clear();
    knownCharacters = 0;
  }
  // A slice would keep the whole message it was cut from in memory.
  known.set(Buffer.from(written).toString(), schema);
  knownCharacters += written.length;
  return schema;
}
