import { readFileSync } from 'node:fs';
import { closestMatch } from 'leven';
import { z } from 'zod';
import { ConfigurationError } from '../errors/configurationError.ts';
import { configSchema, type ReplicaConfig } from './configSchema.ts';
import { repeatedProperty } from './repeatedProperty.ts';

/**
 * Reads the setting `REPLICA_CONFIG`.
 * @param setting the JSON document itself, or the path of a file with it.
 * @throws ConfigurationError with the path of every offending value.
 */
export function readReplicaConfig(setting: string): ReplicaConfig {
  const inline = setting.trimStart().startsWith('{');
  const parsed = configSchema.safeParse(parseJson(inline ? setting : readFile(setting)));
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    `REPLICA_CONFIG is not valid: ${parsed.error.issues.map(describe).join('; ')}`,
  );
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue): string {
  const place = ['$', ...issue.path].join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .map((key) => `${place}: unknown property ${JSON.stringify(key)}${suggestion(key, issue.path)}`)
        .join('; ');
    case 'invalid_key':
      return `${place}: ${issue.issues.map(({ message }) => message).join(', ')}`;
    case 'invalid_type':
      return `${place}: ${issue.message.startsWith(BY_DEFAULT) ? `has to be ${kindOf(issue.expected)}` : issue.message}`;
    default:
      return `${place}: ${issue.message}`;
  }
}

/** How the schema's own texts for a wrong type begin; they speak of records and arrays. */
const BY_DEFAULT = 'Invalid input';

function kindOf(expected: string): string {
  switch (expected) {
    case 'record':
    case 'object':
      return 'an object, {"name": ...}';
    case 'array':
      return 'a list, ["a", "b"]';
    case 'string':
      return 'a text, "a"';
    case 'boolean':
      return 'true or false';
    case 'int':
    case 'number':
      return 'a whole number';
    default:
      return expected;
  }
}

/** Where the property belongs, else the name that was most likely meant. */
function suggestion(key: string, path: Issue['path']): string {
  const known = propertiesAt(path);
  const holder = known.find((name) => propertiesAt([...path, name]).includes(key));
  if (holder !== undefined) return `, put it under ${JSON.stringify(holder)}`;
  if (propertiesAt(path.slice(0, -1)).includes(key))
    return `, put it beside ${JSON.stringify(path.at(-1))}, not under it`;
  const match = closestMatch(key, known, { maxDistance: LARGEST_DISTANCE });
  return match === undefined
    ? `, not one of ${known.join(', ')}`
    : `, did you mean ${JSON.stringify(match)}?`;
}

/** Characters by which a name may differ from what it is taken for. */
const LARGEST_DISTANCE = 3;

function propertiesAt(path: Issue['path']): readonly string[] {
  let schema: unknown = configSchema;
  for (const step of path) {
    schema = plain(schema);
    if (schema instanceof z.ZodObject) schema = schema.shape[String(step)];
    else if (schema instanceof z.ZodRecord) schema = schema.valueType;
  }
  schema = plain(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function plain(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigurationError(
      `REPLICA_CONFIG names a file that cannot be read (${code}): put a JSON document there or the path of a file`,
    );
  }
}

function parseJson(sent: string): unknown {
  // Editors on Windows put a byte order mark in front, which JSON.parse refuses.
  const text = sent.replace(/^\uFEFF/, '');
  const document = parsed(text);
  const repeated = repeatedProperty(text);
  if (repeated !== undefined)
    throw new ConfigurationError(`REPLICA_CONFIG has ${repeated} twice: put everything into one of them`);
  return document;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, refuseProto);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    // The engine's own message can quote the document, so only the place is taken from it.
    const place = error instanceof Error ? /\(line \d+ column \d+\)/.exec(error.message) : null;
    throw new ConfigurationError(
      `REPLICA_CONFIG is not JSON${place === null ? '' : ` ${place[0]}`}: put a document like {"tables":{}} there, without comments and trailing commas`,
    );
  }
}

/** The schema would drop it without a word, and with it perhaps a mask. */
function refuseProto(key: string, value: unknown): unknown {
  if (key !== '__proto__') return value;
  throw new ConfigurationError(
    'REPLICA_CONFIG has a property "__proto__": choices about a column of this name can only stand in include or exclude',
  );
}
