import { type ErrorDetail, InvalidRequest, type JsonObject, type JsonValue } from '@postrider/domain';

/** Reads the fields of a request body one by one and collects everything that is wrong with them. */
export class FieldReader {
  readonly #details: ErrorDetail[];
  readonly #object: Record<string, unknown>;

  constructor(
    value: unknown,
    private readonly prefix = '',
    details: ErrorDetail[] = [],
  ) {
    this.#details = details;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.#object = isObject ? (value as Record<string, unknown>) : {};
    if (!isObject) this.fail('', value === undefined ? 'is required' : 'must be an object');
  }

  /** A required, non-empty text that may have to match a pattern. */
  text(name: string, pattern?: { regex: RegExp; says: string }): string {
    const value = this.#object[name];
    if (value === undefined || value === null || value === '') return this.fail(name, 'is required');
    if (typeof value !== 'string' || value.length > 20_000) return this.fail(name, 'must be a text');
    if (pattern && !pattern.regex.test(value)) return this.fail(name, pattern.says);
    return value;
  }

  /** A text that may be left out. */
  optionalText(name: string, pattern?: { regex: RegExp; says: string }): string | undefined {
    const value = this.#object[name];
    return value === undefined || value === null ? undefined : this.text(name, pattern);
  }

  /** A base address: https, or http where private endpoints are allowed. */
  url(name: string, options: { allowPlain: boolean; default?: string }): string {
    const value = options.default === undefined ? this.text(name) : (this.optionalText(name) ?? options.default);
    if (value === '') return value;
    const fault = faultOfUrl(value, options.allowPlain);
    if (fault !== null) return this.fail(name, fault);
    return value.replace(/\/+$/, '');
  }

  /** One of a few words. */
  oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
    const value = this.#object[name];
    if (words.includes(value as T)) return value as T;
    this.fail(name, `must be one of ${words.join(', ')}`);
    return words[0];
  }

  /** The field as it came; undefined when it was left out or is null. */
  value(name: string): unknown {
    return this.#object[name] ?? undefined;
  }

  /** Whether the field was given. */
  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  /** A nested object's reader; what it finds is reported with this one's. */
  object(name: string): FieldReader {
    return new FieldReader(this.#object[name], `${this.prefix}${name}.`, this.#details);
  }

  /** Reports a field. */
  fail(name: string, message: string): '' {
    this.#details.push({ path: (this.prefix + name).replace(/\.$/, ''), message });
    return '';
  }

  /** @throws InvalidRequest when any field was bad */
  finish(): void {
    if (this.#details.length > 0) throw new InvalidRequest(this.#details);
  }
}

/** Drops the members that were left out. */
export function present(object: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

function faultOfUrl(text: string, allowPlain: boolean): string | null {
  if (!URL.canParse(text)) return 'must be an https address';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(allowPlain && protocol === 'http:')) return 'must be an https address';
  return username + password + hash === '' ? null : 'must have no user name, password or fragment';
}
