import type { ClassConstructor } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { isRight, makeRequest, notesOf } from './class-plan';
import { document, readsField, validatesReading } from './field';
import { isJsonObject, Unreadable } from './reading';

const NO_OBJECT = 'must be an object';

/** An object with fields of its own. */
export function IsNested(type: () => ClassConstructor<object>, description?: string): PropertyDecorator {
  return (target, key) => {
    nest((value) => {
      if (!isJsonObject(value)) return new Unreadable([{ path: '', message: NO_OBJECT }]);
      return makeRequest(type(), value);
    })(target, key);
    // Swagger knows a function that gives a type by its name.
    document({ type: () => type(), ...(description === undefined ? {} : { description }) })(target, key);
  };
}

/** A list of at most `max` objects with fields of their own. */
export function IsNestedList(
  type: () => ClassConstructor<object>,
  { min = 0, max }: { min?: number; max?: number } = {},
): PropertyDecorator {
  const words = max === undefined ? 'must be an array of objects' : `must be an array of ${min} to ${max} objects`;
  return (target, key) => {
    nest((value) => {
      const isList = Array.isArray(value) && value.length >= min && value.length <= (max ?? Infinity);
      if (!isList) return new Unreadable([{ path: '', message: words }]);
      // Whatever is no object must be refused: class-validator passes over null, and looks into arrays.
      return value.map((item) => isJsonObject(item) && makeRequest(type(), item));
    })(target, key);
    const limits = { ...(min > 0 ? { minItems: min } : {}), ...(max === undefined ? {} : { maxItems: max }) };
    document({ type: () => [type()], ...limits })(target, key);
  };
}

function nest(read: (value: unknown) => unknown): PropertyDecorator {
  return (target, key) => {
    readsField(read)(target, key);
    notesOf(target, key).checks.push(isNestedRight);
    ValidateNested({ message: NO_OBJECT })(target, key);
    validatesReading('isNested')(target, key);
  };
}

function isNestedRight(value: unknown): boolean {
  if (value === undefined || value instanceof Unreadable) return true;
  return Array.isArray(value)
    ? value.every((item) => item !== false && isRight(item as object))
    : isRight(value as object);
}
