import { type JsonObject, normaliseText } from '@postrider/domain';
import { isJsonObject } from './field-reader';
import { Problems } from './problems';
import { readBoolean, readInteger, readName, type Reading } from '../validation/values';
import { readNumber, readTime } from '../validation/values';

/**
 * Reads the fields of a JSON object where null says the same as absence: both read as null. Everything bad is noted under
 * the caller's own name, and `finish` refuses the request with all of it at once.
 */
export class BodyReader {
  readonly #fields: JsonObject;

  /** @param path where the object stands in the request */
  constructor(
    value: unknown,
    private readonly path = '',
    readonly problems = new Problems(value),
  ) {
    this.#fields = isJsonObject(value) ? value : {};
    if (!isJsonObject(value)) problems.add(path, 'must be a JSON object');
  }

  /** @throws InvalidRequest when any field was bad */
  finish(): void {
    this.problems.throwIfAny();
  }

  /** Notes a bad field. */
  reject(name: string, problem: string): null {
    this.problems.add(this.path === '' ? name : `${this.path}.${name}`, problem);
    return null;
  }

  /** The field as it came; undefined when absent or null. */
  raw(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? (this.#fields[name] ?? undefined) : undefined;
  }

  /** Notes each of `names` that is absent. */
  require(...names: string[]): void {
    for (const name of names) if (this.raw(name) === undefined) this.reject(name, 'is required');
  }

  /** The fields whose names are not in `known`, as they came, and are not null. */
  rest(known: ReadonlySet<string>): JsonObject {
    return Object.fromEntries(
      Object.entries(this.#fields).filter(([name, value]) => !known.has(name) && value !== null),
    );
  }

  /** The names of the object's fields. */
  names(): string[] {
    return Object.keys(this.#fields);
  }

  /** The field as `read` reads it. */
  optional<T>(name: string, read: (value: unknown) => Reading<T>): T | null {
    const value = this.raw(name);
    if (value === undefined) return null;
    const reading = read(value);
    return 'value' in reading ? reading.value : this.reject(name, reading.problem);
  }

  /** A user id, tag or other name: text of 1-255 characters, in NFC. */
  name(name: string): string | null {
    return this.optional(name, readName);
  }

  /** A name that has to be there. Reads as '' when it is not, which `finish` never lets through. */
  requiredName(name: string): string {
    this.require(name);
    return this.name(name) ?? '';
  }

  /** Text of at most `max` characters; empty text is absent. */
  text(name: string, max: number): string | null {
    const text = this.optional<string>(name, (value) => {
      const read = typeof value === 'string' && value.length <= max ? normaliseText(value) : null;
      return read === null ? { problem: `must be text of at most ${max} characters` } : { value: read };
    });
    return text === '' ? null : text;
  }

  boolean(name: string): boolean | null {
    return this.optional(name, readBoolean);
  }

  integer(name: string, min: number, max: number): number | null {
    return this.optional(name, (value) => readInteger(value, min, max));
  }

  number(name: string, min: number, max: number): number | null {
    return this.optional(name, (value) => readNumber(value, min, max));
  }

  time(name: string): Date | null {
    return this.optional(name, readTime);
  }

  /** One of a few words. */
  oneOf<const T extends string>(name: string, words: readonly T[]): T | null {
    return this.optional<T>(name, (value) => {
      const found = words.find((word) => word === value);
      return found === undefined ? { problem: `must be one of ${words.join(', ')}` } : { value: found };
    });
  }

  /** A list of at most `max` entries, each read by `read`; null when absent. */
  list<T>(name: string, max: number, read: (value: unknown, path: string) => Reading<T>): T[] | null {
    const value = this.raw(name);
    if (value === undefined) return null;
    if (!Array.isArray(value) || value.length > max) {
      return this.reject(name, `must be an array of at most ${max} entries`);
    }
    return value.flatMap((item: unknown, index) => {
      const reading = read(item, `${name}[${index}]`);
      if ('value' in reading) return [reading.value];
      this.reject(`${name}[${index}]`, reading.problem);
      return [];
    });
  }

  /** A list of names, without repetitions; null when absent. */
  nameList(name: string, max: number): string[] | null {
    const names = this.list(name, max, readName);
    return names && [...new Set(names)];
  }
}
