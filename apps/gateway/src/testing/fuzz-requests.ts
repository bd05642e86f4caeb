/** A schema, a parameter and an operation, with the parts from which requests are made. */
export type FuzzSchema = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  schema?: FuzzSchema;
}
export interface FuzzOperation {
  method: string;
  path: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: FuzzSchema }> };
  responses: Record<string, unknown>;
}

/** A request to send. */
interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const NASTY = [
  '', ' ', '*', '0', '-1', '1e309', '9007199254740993', 'null', 'true', '[]', '{}', '..', '../../etc/passwd', "'; --", '$1', '\\',
  '{{ user.name', '{% for i in (1..9) %}', 'a\u0000b', '\ud800', '\u202e', '😀', 'é', 'e\u0301', '2026-02-30T25:00:00Z', '0001-01-01',
  '+275760-09-13T00:00:00Z', '1'.repeat(300), 'x'.repeat(5_000), 'javascript:alert(1)', '__proto__', 'a,b', '%', 'NaN', 'cursor',
]; // prettier-ignore
const RAW_IN_URL = ['%00', '%ED%A0%80', '%', '%zz', '%C0%80', '%2F..%2F', '%F0%9F%98%80'];
const NUMBERS = [0, -1, 1, 0.5, 255, 256, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300];

/** Makes requests that fit the API document, and requests that do not. Always the same ones from the same seed. */
export class FuzzRequests {
  #state: number;

  /**
   * @param known ids that exist, by the beginnings of paths and by names of parameters; the first match in the path
   * counts
   */
  constructor(
    seed: number,
    private readonly schemas: Record<string, FuzzSchema>,
    private readonly known: (path: string, name: string) => readonly string[],
  ) {
    this.#state = seed;
  }

  /** A request to an operation. */
  next(operation: FuzzOperation): FuzzRequest {
    const { method, path, parameters = [] } = operation;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#pathPart(path, name));
    const query = parameters
      .filter((one) => one.in === 'query' && this.#chance(0.4))
      .map((one) => this.#queryPart(one));
    if (this.#chance(0.03)) query.push(`${this.#one(RAW_IN_URL)}=${this.#one(RAW_IN_URL)}`);
    const headers: Record<string, string> = this.#chance(0.03)
      ? { accept: this.#one(['text/html', 'x', '*/*;q=0']) }
      : {};
    for (const one of parameters) {
      if (one.in === 'header' && this.#chance(0.2)) headers[one.name] = inHeader(this.#text(one.schema));
    }
    const { type, body } = method === 'get' ? { type: undefined, body: undefined } : this.#body(operation);
    if (type !== undefined) headers['content-type'] = type;
    return {
      method: method.toUpperCase(),
      url: `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers,
      body,
    };
  }

  #pathPart(path: string, name: string): string {
    if (this.#chance(0.05)) return this.#one(RAW_IN_URL.slice(0, 2));
    const known = this.known(path, name);
    const text = known.length > 0 && this.#chance(0.6) ? this.#one(known) : this.#text(undefined);
    // An empty part, `.` and `..` would be another path.
    return encodeURIComponent(wellFormed(text).replace(/^\.{0,2}$/, 'x'));
  }

  #queryPart({ name, schema }: Parameter): string {
    if (this.#chance(0.05)) return `${name}=${this.#one(RAW_IN_URL)}`;
    if (this.#chance(0.03)) return `${name}=1&${name}=2`;
    return `${name}=${encodeURIComponent(wellFormed(this.#text(schema)))}`;
  }

  #body({ requestBody }: FuzzOperation): { type: string | undefined; body: string | undefined } {
    const [documented = 'application/json'] = Object.keys(requestBody?.content ?? {});
    const type = this.#typeLike(documented);
    if (this.#chance(0.03))
      return { type, body: this.#one(['{', '', 'null', '[]', '"x"', '{"a":1,"a":2}', '{"__proto__":1}', '\ufeff{}']) };
    if (requestBody === undefined && this.#chance(0.8)) return { type: undefined, body: undefined };
    return { type, body: this.#documentedBody(requestBody?.content[documented]?.schema) };
  }

  /** The documented content type, sometimes a wrong one, or none. */
  #typeLike(documented: string): string | undefined {
    if (!this.#chance(0.04)) return documented;
    return this.#one(['text/plain', 'application/json; charset=latin1', undefined]);
  }

  #documentedBody(schema: FuzzSchema | undefined): string {
    const value = schema ? this.#value(schema, 0) : {};
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** Text that more or less fits the schema. */
  #text(schema: FuzzSchema | undefined): string {
    if (this.#chance(0.35)) return this.#one(NASTY);
    const value = this.#value(schema ?? { type: 'string' }, 3);
    return typeof value === 'string' ? value : JSON.stringify(value ?? null);
  }

  /** A value that fits the schema, sometimes with something wrong in it. */
  #value(given: FuzzSchema | undefined, depth: number): unknown {
    const schema = this.#resolve(given ?? {});
    if (this.#chance(0.06)) return this.#wrong();
    const options = (schema.oneOf ?? (schema.properties ? undefined : schema.anyOf)) as FuzzSchema[] | undefined;
    if (options) return this.#value(this.#one(options), depth);
    if (Array.isArray(schema.enum)) return this.#one(schema.enum as unknown[]);
    if (schema.const !== undefined) return schema.const;
    const types = [schema.type ?? (schema.properties ? 'object' : 'string')].flat() as string[];
    return this.#ofType(this.#one(types), schema, depth);
  }

  #ofType(type: string, schema: FuzzSchema, depth: number): unknown {
    if (type === 'object') return this.#object(schema, depth);
    if (type === 'array')
      return depth > 5 ? [] : this.#times(3).map(() => this.#value(schema.items as FuzzSchema, depth + 1));
    if (type === 'boolean') return this.#chance(0.5);
    if (type === 'integer' || type === 'number') return this.#number(schema);
    return type === 'null' ? null : this.#string(schema);
  }

  #object(schema: FuzzSchema, depth: number): Record<string, unknown> {
    if (depth > 5) return {};
    const required = new Set((schema.required ?? []) as string[]);
    const all = Object.entries((schema.properties ?? {}) as Record<string, FuzzSchema>);
    const properties = all.filter(([, part]) => part.not === undefined);
    const made = properties
      .filter(([name]) => this.#chance(required.has(name) ? 0.97 : 0.25))
      .map(([name, part]): [string, unknown] => [name, this.#value(part, depth + 1)]);
    if (this.#chance(0.05)) made.push([this.#one(NASTY), this.#wrong()]);
    return Object.fromEntries(made);
  }

  #number({ minimum, maximum }: FuzzSchema): number {
    if (this.#chance(0.2)) return this.#one(NUMBERS);
    const [least, most] = [Number(minimum ?? 0), Math.min(Number(maximum ?? 100), 1_000)];
    return Math.floor(least + this.#random() * (Math.max(most, least) - least + 1));
  }

  #string({ format, pattern }: FuzzSchema): string {
    if (this.#chance(0.1)) return this.#one(NASTY);
    if (format === 'uuid') return '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d';
    if (format === 'date-time') return this.#one(['2026-11-22T10:00:00Z', '2026-11-22T10:00:00+05:30', '2026-11-22']);
    if (format === 'uri') return this.#one(['https://shop.example/', 'http://127.0.0.1/', 'shop://x']);
    if (typeof pattern === 'string') return this.#one(['#fff', 'a-b', 'x']);
    return this.#one(['ada', 'grace', 'sport', 'android', 'gold', 'Hello', 'private/alerts', 'EUR', '10.2', 'read']);
  }

  #wrong(): unknown {
    const values = [null, true, [], {}, [[[]]], { a: { b: [] } }, [null], this.#one(NUMBERS), this.#one(NASTY)];
    return this.#one(values);
  }

  #resolve(schema: FuzzSchema): FuzzSchema {
    const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : undefined;
    return name === undefined ? schema : this.#resolve(this.schemas[name] ?? {});
  }

  #times(most: number): number[] {
    return Array.from({ length: Math.floor(this.#random() * (most + 1)) }, (_, index) => index);
  }

  #one<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  /** Mulberry32. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}

/** Characters that Node allows in a header. */
function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 1_000);
}

/** Without lone surrogates, which no URL can contain. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
