import type { OpenAPI3 } from 'openapi-typescript';

/** The keywords of JSON schema that limit a value. */
const LIMITS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems'];
const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

type Schema = Record<string, unknown>;

/**
 * Returns the source of a module with a constant for each schema of a request, named as the schema: the limits of its
 * fields, and under `items` those of the values of a list. A bundler leaves out unused ones.
 */
export function limitsOf({ components, paths }: OpenAPI3): string {
  const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
  const bodies = Object.values(paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, { requestBody?: unknown }>).map(({ requestBody }) => requestBody),
  );
  return [...namesIn(bodies, schemas)]
    .sort()
    .map((name) => [name, limitsOfFields(schemas[name] ?? {})] as const)
    .filter(([, limits]) => Object.keys(limits).length > 0)
    .map(([name, limits]) => `export const ${name} = ${JSON.stringify(limits, null, 2)} as const;\n`)
    .join('\n');
}

/** The schemas that something refers to, and those that these refer to. */
function namesIn(value: unknown, schemas: Record<string, Schema>, known = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(REFERENCE)) {
    if (!known.has(name)) namesIn(schemas[name], schemas, known.add(name));
  }
  return known;
}

function limitsOfFields({ properties }: Schema): Schema {
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, limitsOfValue(field)]).filter(([, limits]) => limits !== undefined),
  ) as Schema;
}

function limitsOfValue(schema: Schema): Schema | undefined {
  const limits: Schema = Object.fromEntries(LIMITS.filter((key) => key in schema).map((key) => [key, schema[key]]));
  const items = 'items' in schema ? limitsOfValue(schema.items as Schema) : undefined;
  if (items !== undefined) limits.items = items;
  return Object.keys(limits).length === 0 ? undefined : limits;
}
