import { isJsonObject, type JsonObject, parseJsonObject, parseKeepingNumbers, wrongType } from '../json.ts';
import type { Image, SqlValue } from '../model/change.ts';

/**
 * Reads one row image, `eventrow.old` or `eventrow.current`: text holding a JSON object, or the object itself.
 * Null, nothing, `""` and `{}` are an empty image and give null.
 * @throws DataError when it is anything else.
 */
export function parseImage(sent: unknown, where: string): Image | null {
  if (sent === undefined || sent === null || sent === '' || sent === '{}' || sent === 'null') return null;
  if (typeof sent === 'string') return imageOf(parseJsonObject(sent, where), where, sent);
  if (isJsonObject(sent)) return imageOf(sent, where, undefined);
  throw wrongType(where, sent, 'text or an object');
}

function imageOf(object: JsonObject, where: string, text: string | undefined): Image | null {
  let empty = true;
  for (const name in object) {
    empty = false;
    const value = object[name];
    if (typeof value !== 'string' && value !== null) return withTextValues(object, where, text);
  }
  // The loop has seen that every value is text or null.
  return empty ? null : (object as Image);
}

/** CES sends every value as text. Should a build send JSON numbers or booleans, their digits are kept as written. */
function withTextValues(object: JsonObject, where: string, text: string | undefined): Image {
  const source = text === undefined ? object : parseKeepingNumbers(text, where);
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [
      name,
      textValue(value, `${JSON.stringify(name)} in ${where}`),
    ]),
  );
}

function textValue(value: unknown, where: string): SqlValue {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  throw wrongType(where, value, 'text or null');
}
