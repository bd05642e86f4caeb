import * as contracts from '@postrider/contracts';
import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON schema. */
export type Schema = Record<string, unknown>;
type Path = OpenAPIObject['paths'][string];
type Operation = NonNullable<Path['get']>;

/** Where schemas occur in a schema: alone, in a list, or under names. */
const ALONE = ['items', 'additionalProperties', 'not', 'contentSchema'];
const LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];

/**
 * Gives every schema of a document a name under `components`, so that generated clients have types for them. It is the
 * only place that decides names: a schema of the contracts has the name of its constant (`NEW_SEGMENT_SCHEMA` is
 * `NewSegment`, `TO_USERS_BODY` `ToUsersBody`), and a schema with a `title` has that name. Any other is named after its
 * operation (`GetOverviewAnswer`) and, inside another one, after its place.
 */
export class SchemaNames {
  /** The final `components.schemas`. */
  readonly schemas: Record<string, Schema> = {};
  readonly #nameOf = new Map<string, string>();

  constructor(fixed: Record<string, Schema>) {
    for (const [name, schema] of Object.entries({ ...fixed, ...schemasOfContracts() })) this.#claim(name, schema);
  }

  /** Names the body and the answers of an operation. */
  nameOperation(operation: Operation): void {
    const id = operation.operationId ?? '';
    const upper = id.charAt(0).toUpperCase() + id.slice(1);
    const { requestBody, responses } = operation;
    if (requestBody && 'content' in requestBody) this.#nameContent(requestBody.content, `${upper}Body`);
    for (const response of Object.values(responses)) {
      if (response && 'content' in response) this.#nameContent(response.content ?? {}, `${upper}Answer`);
    }
  }

  #nameContent(content: Record<string, { schema?: unknown }>, name: string): void {
    for (const media of Object.values(content)) {
      if (isSchema(media.schema))
        media.schema = this.#refer(media.schema, name, media.schema.type === 'object' || hasParts(media.schema));
    }
  }

  /** A reference to the named schema, or the schema itself if it needs no name. */
  #refer(schema: Schema, suggested: string, isNamed: boolean): Schema {
    if ('$ref' in schema) return schema;
    const text = textOf(schema);
    const known =
      this.#nameOf.get(text) ?? (isNamed ? this.#claim(this.#freeName(schema, suggested), schema) : undefined);
    if (known === undefined) return this.#nameParts(schema, suggested);
    this.schemas[known] ??= this.#write(known, schema);
    return { $ref: `#/components/schemas/${known}` };
  }

  /** Sets the schema before its parts, so that a schema may contain itself. */
  #write(name: string, schema: Schema): Schema {
    this.schemas[name] = {};
    return Object.assign(this.schemas[name], this.#nameParts(schema, name));
  }

  #nameParts(schema: Schema, name: string): Schema {
    const parts: Schema = { ...schema };
    for (const key of ALONE) {
      const part = schema[key];
      if (isSchema(part)) parts[key] = this.#refer(part, `${name}Item`, 'properties' in part);
    }
    for (const key of LISTS) {
      const list = schema[key];
      if (Array.isArray(list))
        parts[key] = list.map((part: Schema, at) => this.#refer(part, `${name}${at + 1}`, 'properties' in part));
    }
    if (isSchema(schema.properties)) {
      const named = Object.entries(schema.properties as Record<string, Schema>).map(([property, part]) => {
        return [property, this.#refer(part, joinNames(name, property), 'properties' in part)];
      });
      parts.properties = Object.fromEntries(named);
    }
    return parts;
  }

  #freeName(schema: Schema, suggested: string): string {
    const wanted = typeof schema.title === 'string' ? pascal(schema.title) : suggested;
    const taken = new Set(this.#nameOf.values());
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}${number}`;
      if (!taken.has(name)) return name;
    }
  }

  #claim(name: string, schema: Schema): string {
    const text = textOf(schema);
    if (!this.#nameOf.has(text)) this.#nameOf.set(text, name);
    return name;
  }
}

/** The same text for equal schemas: the framework writes `nullable` as a type of its own, and in any order. */
function textOf(schema: Schema): string {
  return JSON.stringify(schema, (_key, value: unknown) => {
    if (!isSchema(value)) return value;
    const { nullable, ...rest } = value;
    const plain = nullable === true && typeof rest.type === 'string' ? { ...rest, type: [rest.type, 'null'] } : rest;
    return Object.fromEntries(Object.entries(plain).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function schemasOfContracts(): Record<string, Schema> {
  const named = Object.entries(contracts).flatMap(([constant, value]): [string, unknown][] => {
    if (constant.endsWith('_SCHEMA')) return [[pascal(constant.slice(0, -'_SCHEMA'.length)), value]];
    return constant.endsWith('_BODY') ? [[pascal(constant), (value as { schema?: unknown }).schema]] : [];
  });
  return Object.fromEntries(
    named.filter((entry): entry is [string, Schema] => isSchema(entry[1]) && hasParts(entry[1])),
  );
}

/** Text and numbers need no name. */
function hasParts(schema: Schema): boolean {
  return ['properties', 'items', ...LISTS].some((key) => key in schema);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Messages` and `messages` are `Messages`; `Message` and `totals` are `MessageTotals`. */
function joinNames(name: string, property: string): string {
  const upper = pascal(property);
  return name.endsWith(upper) ? name : `${name}${upper}`;
}

/** `NEW_SEGMENT`, `new segment` and `newSegment` are `NewSegment`. */
function pascal(text: string): string {
  const words = text.split(/[\W_]+/).filter((word) => word !== '');
  return words
    .map(
      (word) =>
        word.charAt(0).toUpperCase() + (word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1)),
    )
    .join('');
}
