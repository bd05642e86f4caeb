import type { JsonObject } from '@postrider/domain';
import { ApiProperty, type ApiPropertyOptions, ApiSchema, DECORATORS } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { type IsSent, notesOf } from './class-plan';
import { type ListReading, Unreadable, valueOrUnreadable } from './reading';

const OPTIONAL = Symbol('optional field');
const NOTHING = Symbol('what a field that is taken away reads as');
const FIELDS = Symbol('names of fields');
/** The place of the problem with fields that a request does not know. No value ever has it. */
const UNKNOWN = 'unknown fields';

/** One kind of field: how it is read, and its description in the API document. */
export interface FieldKind<T> {
  /** The name of the constraint, as in `isName`. */
  name: string;
  /** Reads a value that is neither absent nor null. `sent` is everything that was sent in its object. Never throws. */
  read(value: unknown, sent: JsonObject): ListReading<T>;
  /** A field with a `default` is optional, and has that value if it is absent. */
  schema: ApiPropertyOptions;
  /** Always optional, without `@Optional()`. */
  isOptional?: boolean;
}

/**
 * Makes the decorator of one kind of field. Null means absent. A value that cannot be read is refused under the field's
 * name. So is an absent one, unless the field is `@Optional()` or has a default.
 */
export function fieldOf<T>({ name, read, schema, isOptional: mayBeAbsent }: FieldKind<T>): PropertyDecorator {
  const absent: unknown = schema.default;
  return (target, key) => {
    if (mayBeAbsent === true || absent !== undefined) Optional()(target, key);
    readsField((value, sent) => valueOrUnreadable(read(value, sent)), absent)(target, key);
    validatesReading(name)(target, key);
    document(schema)(target, key);
  };
}

/** Fills a field with the result of `read` for the sent value, or with `absent`. */
export function readsField(read: (value: unknown, sent: JsonObject) => unknown, absent?: unknown): PropertyDecorator {
  return (target, key) => {
    notesOf(target, key).fill = (sent) => {
      const value = Object.hasOwn(sent, key) ? sent[key as string] : undefined;
      if (value === undefined) return absent;
      const filled = value === null ? absent : read(value, sent);
      return filled === undefined ? Reflect.getMetadata(NOTHING, target, key) : filled;
    };
    Reflect.defineMetadata(FIELDS, new Set([...fieldNames(target), key]), target);
  };
}

/** The names of the fields of a request's class. @param request a request, or the prototype of its class */
export function fieldNames(request: object): ReadonlySet<string> {
  return (Reflect.getMetadata(FIELDS, request) as ReadonlySet<string> | undefined) ?? new Set();
}

/**
 * Fills a field from everything that was sent in its object, whatever the field's name is. The field is not in the API
 * document, because nobody sends it. Problems are reported for the object: their paths begin there (`''` or the name of
 * a member).
 */
export function FromAllSent<T>(read: (sent: JsonObject) => ListReading<T>): PropertyDecorator {
  return (target, key) => {
    notesOf(target, key).fill = (sent) => {
      const reading = valueOrUnreadable(read(sent));
      return reading instanceof Unreadable ? new Unreadable(reading.problems, 'object') : reading;
    };
    validatesReading('isReadable')(target, key);
  };
}

/** A request with only the fields that it declares: any other one is refused under its name. */
export function RefusesUnknownFields(): ClassDecorator {
  return (target) => {
    const request = target.prototype as object;
    Reflect.defineMetadata(OPTIONAL, true, request, UNKNOWN);
    FromAllSent((sent) => {
      const known = fieldNames(request);
      const problems = Object.keys(sent)
        .filter((name) => !known.has(name))
        .map((path) => ({ path, message: 'is not known' }));
      return problems.length === 0 ? { value: undefined } : { problems };
    })(request, UNKNOWN);
    SaysOfClass({ additionalProperties: false })(target);
  };
}

/** The field may be absent, or null. Its rules (`@Rule`) apply all the same. */
export function Optional(): PropertyDecorator {
  return (target, key) => {
    Reflect.defineMetadata(OPTIONAL, true, target, key);
    ApiProperty({ required: false })(target, key);
  };
}

/** The field can be removed: null, or empty text, reads as `nothing`, and not as an absent field. */
export function Removable(nothing: unknown): PropertyDecorator {
  return (target, key) => {
    Reflect.defineMetadata(NOTHING, nothing, target, key);
    ApiProperty({ nullable: true })(target, key);
  };
}

/** Writes a field into the API document, as required unless it is `@Optional()`. */
export function document(schema: ApiPropertyOptions): PropertyDecorator {
  return (target, key) => {
    ApiProperty({ ...schema, required: !isOptional(target, key) } as ApiPropertyOptions)(target, key);
  };
}

/** Refuses a field that could not be read, and an absent one that is not optional. */
export function validatesReading(name: string): PropertyDecorator {
  return (target, key) => {
    // Needed for every request, and known only once all decorators of the field have run.
    let mayBeAbsent: boolean | undefined;
    const isRight = (value: unknown): boolean =>
      value === undefined ? (mayBeAbsent ??= isOptional(target, key)) : !(value instanceof Unreadable);
    notesOf(target, key).checks.push(isRight);
    ValidateBy({
      name,
      validator: {
        validate: isRight,
        defaultMessage: (args) => (args?.value === undefined ? 'is required' : 'cannot be read'),
      },
    })(target, key);
  };
}

/**
 * A rule about several fields of a request. It runs whether or not the field is present, and is reported under the
 * field's name.
 *
 * @param check returns the problem, or null; a field that could not be read is absent for it, and `isSent` tells if it
 * was sent
 */
export function Rule<Request extends object>(
  check: (request: Partial<Request>, isSent: IsSent<Request>) => string | null,
): PropertyDecorator {
  const problemOf = (args?: ValidationArguments): string | null => {
    const request = args?.object as Request;
    return check(readablePart(request), (field) => request[field] !== undefined);
  };
  return (target, key) => {
    notesOf(target, key).rules.push((request, isSent) => check(request, isSent) === null);
    ValidateBy({
      name: 'rule',
      validator: {
        validate: (_value, args) => problemOf(args) === null,
        defaultMessage: (args) => problemOf(args) ?? '',
      },
    })(target, key);
  };
}

/**
 * A request that needs at least one of a few fields. If it has none, the first one is reported. For the class that has
 * the fields: a child with a rule of its own on a field does not inherit its parent's.
 */
export function RequiresOneOf(first: string, ...others: string[]): ClassDecorator {
  const names = [first, ...others];
  return (target) => {
    const hasOne = (request: object): boolean =>
      names.some((name) => (request as Record<string, unknown>)[name] !== undefined);
    notesOf(target.prototype as object, first).rules.push(hasOne);
    ValidateBy({
      name: 'requiresOneOf',
      validator: {
        validate: (_value, args) => hasOne(args?.object as object),
        defaultMessage: () => `is required, or ${others.join(' or ')}`,
      },
    })(target.prototype as object, first);
    SaysOfClass({ anyOf: names.map((name) => ({ required: [name] })) })(target);
  };
}

/** Valid bodies, for the API document. */
export function Example(...examples: object[]): ClassDecorator {
  return SaysOfClass({ examples });
}

/** Adds keywords of JSON schema to a class in the API document, beside those of its parent. */
export function SaysOfClass(keywords: Record<string, unknown>): ClassDecorator {
  return (target) => {
    const said = (Reflect.getMetadata(DECORATORS.API_SCHEMA, target) ?? []) as object[];
    ApiSchema({ ...said.at(-1), ...keywords })(target);
  };
}

/**
 * A request without the fields that could not be read. Usually it is the request itself, because nearly every request
 * is right.
 */
export function readablePart<Request extends object>(request: Request): Partial<Request> {
  if (!Object.values(request).some((value) => value instanceof Unreadable)) return request;
  const readable = Object.entries(request).filter(([, value]) => !(value instanceof Unreadable));
  const part = Object.create(Object.getPrototypeOf(request) as object) as Partial<Request>;
  return Object.assign(part, Object.fromEntries(readable));
}

function isOptional(target: object, key: PropertyKey): boolean {
  return Reflect.getMetadata(OPTIONAL, target, key as string) === true;
}
