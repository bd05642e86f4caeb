import type { JsonObject, JsonValue } from '@postrider/domain';
import type { Problems } from './problems';
import { readBoolean, readInteger, readText, type Reading } from '../validation/values';
import { UnknownFields } from './unknown-fields';

/** Whether a parsed JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the fields of one JSON object, one call a field. What is wrong goes to `problems` under the caller's own path, and
 * reading goes on: a bad field reads as absent. Null says the same as absence; inside JSON of the
 * caller's own (`data`) nobody looks.
 */
export class FieldReader {
  constructor(
    readonly object: JsonObject,
    /** Where the object stands: `` for the body, `notification` or `[3].notification`. */
    readonly path: string,
    readonly problems: Problems,
    /** Those of the whole message, in however many objects they stand. */
    readonly unknown = new UnknownFields(),
  ) {}

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  /** The field as it came; undefined when it is absent or null. */
  raw(name: string): JsonValue | undefined {
    return this.object[name] ?? undefined;
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  report(name: string, problem: string): void {
    this.problems.add(this.pathOf(name), problem);
  }

  /** The field as `read` reads it; undefined when it is absent or bad. */
  optional<T>(name: string, read: (value: JsonValue) => Reading<T>): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const reading = read(value);
    if ('value' in reading) return reading.value;
    this.report(name, reading.problem);
    return undefined;
  }

  /** As `optional`, and reports a field that is absent. */
  required<T>(name: string, read: (value: JsonValue) => Reading<T>): T | undefined {
    if (!this.has(name)) this.report(name, 'is required');
    return this.optional(name, read);
  }

  text(name: string): string | undefined {
    return this.optional(name, readText);
  }

  boolean(name: string): boolean | undefined {
    return this.optional(name, readBoolean);
  }

  integer(name: string, min: number, max: number): number | undefined {
    return this.optional(name, (value) => readInteger(value, min, max));
  }

  /** A reader for an object inside; undefined when it is absent, or is no object, which is reported. */
  nested(name: string): FieldReader | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (isJsonObject(value)) return new FieldReader(value, this.pathOf(name), this.problems, this.unknown);
    this.report(name, 'must be an object');
    return undefined;
  }

  /** Reports each of `names` that is there. */
  refuse(names: readonly string[], problem: string): void {
    for (const name of names) if (this.has(name)) this.report(name, problem);
  }

  /** The fields that are not in `known`, as they came; undefined when there is none. What is too much is reported once. */
  rest(known: ReadonlySet<string>): JsonObject | undefined {
    let rest: JsonObject | undefined;
    for (const name of Object.keys(this.object)) {
      const value = this.raw(name);
      if (known.has(name) || value === undefined) continue;
      const problem = this.unknown.add(name, value);
      if (problem === null) (rest ??= {})[name] = value;
      else if (problem === 'reported') break;
      else this.report(name, problem);
    }
    return rest;
  }
}
