import type { ClassConstructor } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { isJsonObject, type JsonObject } from '@postrider/domain';
import { isRight, makeRequest, notesOf } from './class-plan';
import { document, readsField, validatesReading } from './field';
import { Unreadable } from './reading';

const NO_OBJECT = 'must be an object';

/** An object with fields of its own. */
export function IsNested(type: () => ClassConstructor<object>, description?: string): PropertyDecorator {
  return (target, key) => {
    nest((value) => {
      if (!isJsonObject(value)) return new Unreadable([{ path: '', message: NO_OBJECT }]);
      return makeRequest(type(), value);
    })(target, key);
    // Swagger identifies a function that returns a type by its name.
    document({ type: () => type(), ...(description === undefined ? {} : { description }) })(target, key);
  };
}

/** A list of at most `max` objects with fields of their own. */
export function IsNestedList(
  type: () => ClassConstructor<object>,
  { min = 0, max }: { min?: number; max?: number | undefined } = {},
): PropertyDecorator {
  return (target, key) => {
    nest((value) => readObjects(value, type, { min, max }))(target, key);
    const limits = { ...(min > 0 ? { minItems: min } : {}), ...(max === undefined ? {} : { maxItems: max }) };
    document({ type: () => [type()], ...limits })(target, key);
  };
}

/**
 * A list of at most `max` objects of several forms. The API document says that each has one of them.
 *
 * @param formOf the class of an object, by what was sent; it may be an undocumented class, for an object of no form
 */
export function IsListOfForms(
  forms: readonly ClassConstructor<object>[],
  formOf: (sent: JsonObject) => ClassConstructor<object>,
  { max }: { max: number },
): PropertyDecorator {
  return (target, key) => {
    nest((value) => readObjects(value, formOf, { min: 0, max }))(target, key);
    ApiExtraModels(...forms)(target.constructor);
    const oneOf = forms.map((form) => ({ $ref: getSchemaPath(form) }));
    document({ type: 'array', items: { oneOf }, maxItems: max })(target, key);
  };
}

function readObjects(
  value: unknown,
  formOf: (sent: JsonObject) => ClassConstructor<object>,
  { min = 0, max }: { min?: number; max?: number },
): unknown {
  if (!Array.isArray(value) || value.length < min || value.length > (max ?? Infinity)) {
    const words = max === undefined ? 'must be an array of objects' : `must be an array of ${min} to ${max} objects`;
    return new Unreadable([{ path: '', message: words }]);
  }
  // Values that are not objects must be refused: class-validator ignores null, and looks into arrays.
  return value.map((item) => isJsonObject(item) && makeRequest(formOf(item), item));
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
