import { Expose, Transform } from 'class-transformer';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { type ListReading, Unreadable, valueOrUnreadable } from './reading';

const OPTIONAL = Symbol('optional field');

/** One kind of field: how it is read, and what the API document says of it. */
export interface FieldKind<T> {
  /** The name of the constraint, as in `isName`. */
  name: string;
  /** Reads a value that is there: neither absent nor null. Never throws. */
  read(value: unknown): ListReading<T>;
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
    const readField = ({ obj }: { obj: Record<PropertyKey, unknown> }): unknown => {
      const value = Object.hasOwn(obj, key) ? (obj[key] ?? undefined) : undefined;
      return value === undefined ? absent : valueOrUnreadable(read(value));
    };
    if (mayBeAbsent === true || absent !== undefined) Optional()(target, key);
    Expose()(target, key);
    Transform(readField, { toClassOnly: true })(target, key);
    validatesReading(name)(target, key);
    document(schema)(target, key);
  };
}

/** The field may be absent, or null. Its rules (`@Rule`) hold all the same. */
export function Optional(): PropertyDecorator {
  return (target, key) => {
    Reflect.defineMetadata(OPTIONAL, true, target, key);
    ApiProperty({ required: false })(target, key);
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
 * @param check says what is wrong, or null; a field that could not be read is absent to it
 */
export function Rule<Request extends object>(check: (request: Partial<Request>) => string | null): PropertyDecorator {
  const problemOf = (args?: ValidationArguments): string | null => check(readablePart(args?.object as Request));
  return ValidateBy({
    name: 'rule',
    validator: {
      validate: (_value, args) => problemOf(args) === null,
      defaultMessage: (args) => problemOf(args) ?? '',
    },
  });
}

/** A request without the fields that could not be read: itself, as a rule, since nearly every request is right. */
function readablePart<Request extends object>(request: Request): Partial<Request> {
  if (!Object.values(request).some((value) => value instanceof Unreadable)) return request;
  const readable = Object.entries(request).filter(([, value]) => !(value instanceof Unreadable));
  return Object.fromEntries(readable) as Partial<Request>;
}

function isOptional(target: object | undefined, key: PropertyKey | undefined): boolean {
  return target !== undefined && key !== undefined && Reflect.getMetadata(OPTIONAL, target, key as string) === true;
}
