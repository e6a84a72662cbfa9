import { z } from 'zod';
import { assert } from '../../src/errors/bug.ts';
import { bicepText } from './bicepText.ts';

/** The document of `REPLICA_CONFIG` as a type of Bicep, so that a wrong one does not get as far as the app. */
export function configType(schema: z.ZodType): string {
  return `@export()\n@sealed()\ntype replicaConfig = ${typeOf(z.toJSONSchema(schema), '')}\n`;
}

type Schema = z.core.JSONSchema._JSONSchema;

function typeOf(schema: Schema, indent: string): string {
  assert(typeof schema === 'object', 'a schema that says something');
  const { type, enum: values, anyOf, items, properties, additionalProperties, required } = schema;
  // Bicep has no union of texts and objects.
  if (anyOf !== undefined) return 'any';
  if (values !== undefined) return values.map((value) => bicepText(String(value))).join(' | ');
  if (type === 'string') return 'string';
  if (type === 'boolean') return 'bool';
  if (type === 'integer') return 'int';
  if (type === 'array') {
    assert(items !== undefined && !Array.isArray(items), 'a list of one type');
    const item = typeOf(items, indent);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  assert(type === 'object', `Bicep has a type for ${type}`);
  const inner = `${indent}  `;
  const named = Object.entries(properties ?? {}).map(
    ([name, value]) => field(name, value, inner) + (required?.includes(name) === true ? '' : '?'),
  );
  const others =
    additionalProperties === undefined || additionalProperties === false
      ? []
      : [field('*', additionalProperties, inner)];
  return `{\n${[...named, ...others].map((line) => `${line}\n`).join('')}${indent}}`;
}

function field(name: string, schema: Schema, indent: string): string {
  const text = typeOf(schema, indent);
  const key = /^(\*|[A-Za-z_]\w*)$/.test(name) ? name : bicepText(name);
  if (text === 'any') return `${indent}#disable-next-line no-explicit-any\n${indent}${key}: any`;
  const sealed = typeof schema === 'object' && schema.additionalProperties === false;
  if (text.startsWith('{')) return `${sealed ? `${indent}@sealed()\n` : ''}${indent}${key}: ${text}`;
  // What follows must apply to the union, not to its last member.
  return `${indent}${key}: ${text.includes(' | ') && !text.endsWith('[]') ? `(${text})` : text}`;
}
