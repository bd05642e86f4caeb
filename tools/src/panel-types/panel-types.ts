import { isJsonObject } from '@postrider/domain';
import { join } from 'node:path';
import { describeApi } from '@postrider/gateway/describe-api';
import * as generator from 'openapi-typescript';
import openapiTS, { type OpenAPI3 } from 'openapi-typescript';
import { limitsOf } from './limits';
import { serverOperations } from './server-operations';

/** The types of the package use `export =`, which hides its other exports. */
const { astToString } = generator as unknown as { astToString(types: Awaited<ReturnType<typeof openapiTS>>): string };

/** The parts of a schema that are rules over several fields: no type expresses them. */
const RULES = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'else'];

/**
 * Returns an API document without what a type cannot express: rules over several fields of an object (`anyOf` of
 * `required` lists), which would make its type a union with `unknown`, and fields that must not be sent.
 */
export function typedParts(document: OpenAPI3): OpenAPI3 {
  return typed(document) as OpenAPI3;
}

function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed);
  if (!isJsonObject(value)) return value;
  const isSchemaWithFields = isJsonObject(value.properties);
  const entries = Object.entries(value)
    .filter(([key]) => !(isSchemaWithFields && RULES.includes(key)))
    .map(([key, part]) => [key, key === 'properties' && isJsonObject(part) ? typed(sendable(part)) : typed(part)]);
  return Object.fromEntries(entries) as unknown;
}

function sendable(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, schema]) => !isRefused(schema)));
}

function isRefused(schema: unknown): boolean {
  return isJsonObject(schema) && isJsonObject(schema.not) && Object.keys(schema.not).length === 0;
}

const ROOT = join(__dirname, '..', '..', '..');
const PANEL = join(ROOT, 'apps', 'panel', 'src', 'api', 'generated');
const SERVER = join(ROOT, 'libs', 'server', 'src', 'generated');
const HEAD = '// Made from the API document by `npm run panel-types`; not written by hand.\n\n';

/** A file of the panel or of the client for backends that is made from the API document. */
interface GeneratedFile {
  path: string;
  text: string;
}

/**
 * Returns the files that fit the API document: for the backend client, the types of its operations and schemas, which
 * the panel uses too, and a method for each operation; for the panel, the limits of requests.
 */
export async function panelTypes(): Promise<GeneratedFile[]> {
  const document = (await describeApi()) as unknown as OpenAPI3;
  const types = await openapiTS(typedParts(document), {
    alphabetize: true,
    // A field of a request with a default may be left out.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  const documentTypes = astToString(types);
  return [
    file(PANEL, 'limits.ts', limitsOf(document)),
    file(SERVER, 'document.ts', documentTypes),
    file(SERVER, 'operations.ts', serverOperations(document)),
  ];
}

function file(folder: string, name: string, text: string): GeneratedFile {
  return { path: join(folder, name), text: HEAD + text };
}
