import type { OpenAPIObject } from '@nestjs/swagger';
import { isObject } from './separate-rules';

type Schema = Record<string, unknown>;

/** Keywords of a schema that mean the same in OpenAPI 3.0 and that generators of clients read. */
const KEPT = [
  ...['format', 'title', 'description', 'default', 'enum', 'pattern', 'deprecated'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
  'maxProperties',
] as const;
const SCALARS = ['boolean', 'integer', 'number', 'string'];
const MOST_OF_32_BITS = 2 ** 31 - 1;
const REFERENCE = '#/components/schemas/';

/**
 * Writes an OpenAPI 3.1 document as OpenAPI 3.0.3, for generators that read no other version and for languages without
 * unions. It says less than the original, and what it says of a request is narrower: a client that is made of it sends
 * only what the service accepts, and reads all that the service answers.
 *
 * - A value that may be written in several ways has the first: a flag is a boolean, a time is ISO 8601 text.
 * - A value of different types is any value.
 * - An object that is one of several has the fields of all of them, and requires those that all require. A list in
 *   place of one object is left out.
 * - A field that may be null is not required: some generators know no `nullable`, and refuse a required field without a
 *   value in an answer.
 * - A whole number is `int64` unless its maximum fits 32 bits: generators take 32 bits otherwise, and a time in
 *   milliseconds has more.
 * - Rules over several fields, and fields that are refused, are left out.
 * - `NewToken` is `CreatedToken` if there is a `Token`: in Go `NewToken` is the function that makes a `Token`.
 *
 * @param document an API document; it does not change
 */
export function toOpenApi30(document: OpenAPIObject): OpenAPIObject {
  const { schemas: named = {}, ...components } = document.components ?? {};
  const schemas = new PlainSchemas(named as Record<string, Schema>);
  const paths = inEachSchema(document.paths, schemas) as OpenAPIObject['paths'];
  const parts = inEachSchema(components, schemas);
  const { name } = document.info.license ?? { name: '' };
  return {
    ...document,
    openapi: '3.0.3',
    // The identifier of a license is new in 3.1.
    info: { ...document.info, license: { name } },
    paths,
    components: { ...(parts as object), schemas: schemas.all() },
  };
}

/** The part with every schema in it rewritten. Examples of requests stay as they are, except lists in place of one object. */
function inEachSchema(part: unknown, schemas: PlainSchemas): unknown {
  if (Array.isArray(part)) return part.map((one) => inEachSchema(one, schemas));
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([word, value]) => {
      if (word === 'schema' && isObject(value)) return [word, schemas.plain(value)];
      if (word === 'examples' && isObject(part.schema)) return [word, schemas.examplesOf(part.schema, value)];
      return [word, word === 'examples' ? value : inEachSchema(value, schemas)];
    }),
  );
}

/** Schemas of OpenAPI 3.1, written without unions. */
class PlainSchemas {
  readonly #added: Record<string, Schema> = {};

  constructor(private readonly named: Record<string, Schema>) {}

  /** Every named schema, and those that had to be added for objects that are one of several. */
  all(): Record<string, Schema> {
    const own = Object.entries(this.named).map(
      ([name, schema]) => [this.#finalName(name), this.#named(name, schema)] as const,
    );
    return Object.fromEntries([...own, ...Object.entries(this.#added)]);
  }

  plain(schema: Schema): Schema {
    if (typeof schema.$ref === 'string') return { $ref: `${REFERENCE}${this.#finalName(nameOf(schema))}` };
    const options = optionsOf(schema);
    if (options === undefined) return this.#alone(schema);
    const own = options.filter((option) => option.type !== 'null');
    const said = describedBy(schema, own.length < options.length);
    const [first = {}] = own;
    if (own.length === 1) return this.#beside(this.plain(first), said, this.#resolve(first).type);
    const objects = own.filter((option) => this.#isNamedObject(option));
    if (objects.length > 0) return this.#beside(this.#oneOfSeveral(objects), said);
    return isOneValue(schema, own) ? { ...this.plain(first), ...said } : said;
  }

  /** The examples that the plain schema still allows. */
  examplesOf(schema: Schema, examples: unknown): unknown {
    const whole = '$ref' in schema ? this.#resolve(schema) : schema;
    const isOneObject = (optionsOf(whole) ?? []).some((option) => this.#isNamedObject(option));
    if (!isOneObject || !isObject(examples)) return examples;
    const isList = (example: unknown): boolean => isObject(example) && Array.isArray(example.value);
    return Object.fromEntries(Object.entries(examples).filter(([, example]) => !isList(example)));
  }

  /** A schema of `components` is no reference to another, so that it keeps its name. */
  #named(name: string, schema: Schema): Schema {
    const objects = (optionsOf(schema) ?? []).filter((option) => this.#isNamedObject(option));
    if (objects.length === 0) return this.plain(schema);
    return { ...this.#merge(objects), ...describedBy(schema, false), title: name };
  }

  #alone(schema: Schema): Schema {
    const plain = { ...typeOf(schema), ...wordsOf(schema) };
    if (isObject(schema.items)) plain.items = withoutVoidNull(this.plain(schema.items));
    else if (plain.type === 'array') plain.items = {};
    return { ...plain, ...this.#fieldsOf(schema) };
  }

  #fieldsOf({ properties, required = [], additionalProperties }: Schema): Schema {
    const fields: Schema = {};
    if (isObject(properties)) {
      const taken = Object.entries(properties as Record<string, Schema>).filter(([, field]) => !isRefused(field));
      const plain = Object.fromEntries(taken.map(([name, field]) => [name, this.plain(field)]));
      const always = (required as string[]).filter((name) => isAlways(name, plain));
      if (always.length > 0) fields.required = always;
      fields.properties = Object.fromEntries(Object.entries(plain).map(([name, one]) => [name, withoutVoidNull(one)]));
    }
    // Further fields are allowed without this word. With it, generators make a map of an object, and its fields are lost.
    if (additionalProperties === true && fields.properties !== undefined) return fields;
    if (isObject(additionalProperties)) fields.additionalProperties = withoutVoidNull(this.plain(additionalProperties));
    else if (additionalProperties !== undefined) fields.additionalProperties = additionalProperties;
    return fields;
  }

  /**
   * In 3.0 nothing counts beside a reference, so that what is said of it stands around it; and `nullable` counts only
   * beside a type.
   */
  #beside(plain: Schema, said: Schema, type: unknown = 'object'): Schema {
    if (!('$ref' in plain)) return { ...plain, ...said };
    return said.nullable === true ? { type, ...said, allOf: [plain] } : plain;
  }

  /** A reference to an added schema for an object that is one of several. */
  #oneOfSeveral(options: Schema[]): Schema {
    if (options.length === 1) return this.plain(options[0] ?? {});
    const name = options.map(nameOf).join('Or');
    // Named before it is written, because a group of rules contains groups of rules.
    if (!(name in this.#added)) {
      this.#added[name] = {};
      Object.assign(this.#added[name], this.#merge(options));
    }
    return { $ref: `${REFERENCE}${name}` };
  }

  #merge(options: Schema[]): Schema {
    const objects = options.map((option) => this.#alone(this.#resolve(option)));
    const properties: Record<string, Schema> = {};
    for (const object of objects) {
      for (const [name, field] of Object.entries((object.properties ?? {}) as Record<string, Schema>)) {
        const known = properties[name];
        properties[name] = known === undefined ? field : inBoth(known, field);
      }
    }
    const [first = [], ...others] = objects.map(({ required }) => (required ?? []) as string[]);
    const required = first.filter((name) => others.every((names) => names.includes(name)));
    const description = `The fields of ${options.map(nameOf).join(', or of ')}.`;
    return { type: 'object', description, ...(required.length > 0 ? { required } : {}), properties };
  }

  #finalName(name: string): string {
    const made = name.startsWith('New') ? name.slice('New'.length) : '';
    return made in this.named ? `Created${made}` : name;
  }

  #isNamedObject(option: Schema): boolean {
    return typeof option.$ref === 'string' && 'properties' in this.#resolve(option);
  }

  #resolve(option: Schema): Schema {
    return this.named[nameOf(option)] ?? {};
  }
}

/** A schema without a type allows null as it is: `nullable` counts only beside a type, and stands nowhere else. */
function withoutVoidNull(plain: Schema): Schema {
  const { nullable, ...others } = plain;
  return nullable === undefined || 'type' in plain ? plain : others;
}

/** The type of a value. A list of types has null beside one type, or is any value. */
function typeOf(schema: Schema): Schema {
  const types = [schema.type ?? []].flat() as string[];
  const own = types.filter((type) => type !== 'null');
  const nullable = own.length < types.length ? { nullable: true } : {};
  if (own.length !== 1) return nullable;
  const size = own[0] === 'integer' ? { format: isShort(schema) ? 'int32' : 'int64' } : {};
  return { type: own[0], ...nullable, ...size };
}

/** What a schema says of its value, apart from the type and the parts. */
function wordsOf(schema: Schema): Schema {
  const words: Schema = Object.fromEntries(KEPT.filter((word) => word in schema).map((word) => [word, schema[word]]));
  if ('const' in schema) words.enum = [schema.const];
  // The null of an `enum` would be a word of its own in many languages.
  if (Array.isArray(words.enum)) words.enum = words.enum.filter((value) => value !== null);
  const [example] = Array.isArray(schema.examples) ? (schema.examples as unknown[]) : [];
  return example === undefined ? words : { ...words, example };
}

/** The alternatives of a schema, or undefined if it has none. The framework writes a reference with a text as `allOf`. */
function optionsOf(schema: Schema): Schema[] | undefined {
  const list = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (!Array.isArray(list) || 'properties' in schema) return undefined;
  return list as Schema[];
}

/** What is said of a value as a whole. */
function describedBy({ description, title, deprecated }: Schema, nullable: boolean): Schema {
  const said = Object.entries({ description, title, deprecated }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(said), ...(nullable ? { nullable } : {}) };
}

/** True for one value that may be written in several ways, as opposed to a value of different types. */
function isOneValue({ oneOf }: Schema, options: Schema[]): boolean {
  return oneOf !== undefined && options.every(({ type }) => SCALARS.includes(String(type)));
}

/** True for a field that is named only to say that it is refused. */
function isRefused({ not }: Schema): boolean {
  return isObject(not) && Object.keys(not).length === 0;
}

/**
 * True for a required field that may not be null. In Go `credentials` that are not required have a method
 * `HasCredentials`, which would be a field `hasCredentials` too.
 */
function isAlways(name: string, fields: Record<string, Schema>): boolean {
  const field = fields[name];
  if (field === undefined) return false;
  return field.nullable !== true || `has${name.charAt(0).toUpperCase()}${name.slice(1)}` in fields;
}

function isShort({ maximum, enum: words }: Schema): boolean {
  return Array.isArray(words) || (typeof maximum === 'number' && maximum <= MOST_OF_32_BITS);
}

/** A field that two objects have: as both say, or any value. */
function inBoth(one: Schema, other: Schema): Schema {
  const { description } = one;
  const meant = (field: Schema): string =>
    JSON.stringify(Object.entries(field).filter(([word]) => word !== 'description'));
  if (meant(one) === meant(other)) return one;
  return description === undefined ? {} : { description };
}

function nameOf({ $ref }: Schema): string {
  return String($ref).slice(REFERENCE.length);
}
