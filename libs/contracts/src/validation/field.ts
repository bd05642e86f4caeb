import { type ClassConstructor, Expose, Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { ApiProperty, type ApiPropertyOptions, ApiSchema, DECORATORS } from '@nestjs/swagger';
import type { JsonObject } from '@postrider/domain';
import { type ListReading, Unreadable, valueOrUnreadable } from './reading';

const OPTIONAL = Symbol('optional field');
const NULL = Symbol('what null reads as');
const FIELDS = Symbol('names of fields');

/** One kind of field: how it is read, and what the API document says of it. */
export interface FieldKind<T> {
  /** The name of the constraint, as in `isName`. */
  name: string;
  /** Reads a value that is there, neither absent nor null; `sent` is all that was sent in its object. Never throws. */
  read(value: unknown, sent: JsonObject): ListReading<T>;
  /** A field with a `default` is optional, and reads as that when it is absent. */
  schema: ApiPropertyOptions;
  /** Always, without `@Optional()`. */
  isOptional?: boolean;
}

/**
 * Makes the decorator of one kind of field. Null says the same as absence. A value that cannot be read is refused under the field's
 * name, and so is an absent one, unless the field is `@Optional()` or has a default.
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

/** Fills a field with what `read` makes of the value that was sent, or with `absent`. */
export function readsField(read: (value: unknown, sent: JsonObject) => unknown, absent?: unknown): PropertyDecorator {
  return (target, key) => {
    readsSent((sent) => {
      const value = Object.hasOwn(sent, key) ? sent[key as string] : undefined;
      if (value === null && Reflect.hasMetadata(NULL, target, key)) return Reflect.getMetadata(NULL, target, key);
      return (value ?? undefined) === undefined ? absent : read(value, sent);
    })(target, key);
    Reflect.defineMetadata(FIELDS, [...namesAt(target), key], target);
  };
}

/** The names of the fields that a request of this class may have. */
export function fieldNames(type: ClassConstructor<object>): ReadonlySet<string> {
  return new Set(namesAt(type.prototype as object));
}

function namesAt(target: object): string[] {
  return (Reflect.getMetadata(FIELDS, target) as string[] | undefined) ?? [];
}

/**
 * What fills a field from all that was sent in its object, whatever the field is called. Not in the API document: nobody sends it. What is
 * wrong is reported of the object: the problems' paths begin there (`''` or the name of a member).
 */
export function FromAllSent<T>(read: (sent: JsonObject) => ListReading<T>): PropertyDecorator {
  return (target, key) => {
    readsSent((sent) => {
      const reading = valueOrUnreadable(read(sent));
      return reading instanceof Unreadable ? new Unreadable(reading.problems, 'object') : reading;
    })(target, key);
    validatesReading('isReadable')(target, key);
  };
}

/**
 * class-transformer is told a name of the field that no JSON has: it would walk through the value first, and break on a key `constructor`
 * or on thousands of brackets.
 */
function readsSent(read: (sent: JsonObject) => unknown): PropertyDecorator {
  return (target, key) => {
    Expose({ name: Symbol(String(key)) as unknown as string })(target, key);
    Transform(({ obj }: { obj: JsonObject }) => read(obj), { toClassOnly: true })(target, key);
  };
}

/** The field may be absent, or null. Its rules (`@Rule`) hold all the same. */
export function Optional(): PropertyDecorator {
  return (target, key) => {
    Reflect.defineMetadata(OPTIONAL, true, target, key);
    ApiProperty({ required: false })(target, key);
  };
}

/** The field may be absent; null takes away what it said before, and reads as `value`. */
export function NullIs(value: null | readonly never[]): PropertyDecorator {
  return (target, key) => {
    Reflect.defineMetadata(NULL, value, target, key);
    Optional()(target, key);
    ApiProperty({ nullable: true })(target, key);
  };
}

/** The field may be taken away: null, or empty text, reads as `nothing`, and not as an absent field. Stands below the field's kind. */
export function Removable(nothing: unknown): PropertyDecorator {
  return (target, key) => {
    const readNothing = ({ value, obj }: { value: unknown; obj: object }): unknown =>
      value === undefined && Object.hasOwn(obj, key) ? nothing : value;
    Transform(readNothing, { toClassOnly: true })(target, key);
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
  return ValidateBy({
    name,
    validator: {
      validate: (value, args) =>
        value === undefined ? isOptional(args?.object, args?.property) : !(value instanceof Unreadable),
      defaultMessage: (args) => (args?.value === undefined ? 'is required' : 'cannot be read'),
    },
  });
}

/**
 * A rule that looks at several fields of a request; it runs whether or not the field is there, and is reported under the field's name.
 *
 * @param check says what is wrong, or null; a field that could not be read is absent to it, and `isSent` says whether it was there
 */
export function Rule<Request extends object>(
  check: (request: Partial<Request>, isSent: (field: keyof Request) => boolean) => string | null,
): PropertyDecorator {
  const problemOf = (args?: ValidationArguments): string | null => {
    const request = args?.object as Request;
    return check(readablePart(request), (field) => request[field] !== undefined);
  };
  return ValidateBy({
    name: 'rule',
    validator: {
      validate: (_value, args) => problemOf(args) === null,
      defaultMessage: (args) => problemOf(args) ?? '',
    },
  });
}

/**
 * A request that has to have at least one of a few fields; reported under the first of them when it has none. For the class that has the
 * fields: a child with a rule of its own on a field is free of its parent's.
 */
export function RequiresOneOf(first: string, ...others: string[]): ClassDecorator {
  const names = [first, ...others];
  return (target) => {
    const mustBeThere = ValidateBy({
      name: 'requiresOneOf',
      validator: {
        validate: (_value, args) => names.some((name) => (args?.object as Record<string, unknown>)[name] !== undefined),
        defaultMessage: () => `is required, or ${others.join(' or ')}`,
      },
    });
    mustBeThere(target.prototype as object, first);
    SaysOfClass({ anyOf: names.map((name) => ({ required: [name] })) })(target);
  };
}

/** Bodies that are right, for the API document. */
export function Example(...examples: object[]): ClassDecorator {
  return SaysOfClass({ examples });
}

/** What the API document says of a class as a whole, beside what its parent says: any keywords of JSON schema. */
export function SaysOfClass(keywords: Record<string, unknown>): ClassDecorator {
  return (target) => {
    const said = (Reflect.getMetadata(DECORATORS.API_SCHEMA, target) ?? []) as object[];
    ApiSchema({ ...said.at(-1), ...keywords })(target);
  };
}

/** A request without the fields that could not be read: itself, as a rule, since nearly every request is right. */
export function readablePart<Request extends object>(request: Request): Partial<Request> {
  if (!Object.values(request).some((value) => value instanceof Unreadable)) return request;
  const readable = Object.entries(request).filter(([, value]) => !(value instanceof Unreadable));
  return Object.fromEntries(readable) as Partial<Request>;
}

function isOptional(target: object | undefined, key: PropertyKey | undefined): boolean {
  return target !== undefined && key !== undefined && Reflect.getMetadata(OPTIONAL, target, key as string) === true;
}
