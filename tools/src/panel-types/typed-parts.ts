import type { OpenAPI3 } from 'openapi-typescript';

/** What a schema says beside its fields that is a rule over several of them: no type says it. */
const RULES = ['allOf', 'anyOf', 'oneOf', 'not'];

/**
 * An API document without what a type cannot say. Of an object with fields the rules over several of them go (`anyOf` of `required`
 * lists), which would make it a union with `unknown`; a field that must not be sent goes too.
 */
export function typedParts(document: OpenAPI3): OpenAPI3 {
  return typed(document) as OpenAPI3;
}

function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed);
  if (!isObject(value)) return value;
  const isSchemaWithFields = isObject(value.properties);
  const entries = Object.entries(value)
    .filter(([key]) => !(isSchemaWithFields && RULES.includes(key)))
    .map(([key, part]) => [key, key === 'properties' && isObject(part) ? typed(sendable(part)) : typed(part)]);
  return Object.fromEntries(entries) as unknown;
}

function sendable(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, schema]) => !isRefused(schema)));
}

function isRefused(schema: unknown): boolean {
  return isObject(schema) && isObject(schema.not) && Object.keys(schema.not).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
