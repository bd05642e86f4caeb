import { type ClassConstructor, Expose, Transform, Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { document, validatesReading } from './field';
import { isJsonObject, Unreadable } from './reading';

const NO_OBJECT = 'must be an object';

/** What a transformation is given: the field as it is now, and the object it came in. */
interface Transformed {
  value: unknown;
  obj: Record<PropertyKey, unknown>;
}

/** An object with fields of its own. */
export function IsNested(type: () => ClassConstructor<object>, description?: string): PropertyDecorator {
  return (target, key) => {
    const keepObject = ({ value, obj }: Transformed): unknown => {
      if ((obj[key] ?? undefined) === undefined) return undefined;
      return isJsonObject(obj[key]) ? value : new Unreadable([{ path: '', message: NO_OBJECT }]);
    };
    nest(type, keepObject)(target, key);
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
    const keepList = ({ value, obj }: Transformed): unknown => {
      const sent = obj[key] ?? undefined;
      if (sent === undefined) return undefined;
      const isList = Array.isArray(sent) && sent.length >= min && sent.length <= (max ?? Infinity);
      if (!isList) return new Unreadable([{ path: '', message: words }]);
      // Whatever is no object must be refused: class-validator passes over null, and looks into arrays.
      return (value as unknown[]).map((item, index) => (isJsonObject(sent[index]) ? item : false));
    };
    nest(type, keepList)(target, key);
    const limits = { ...(min > 0 ? { minItems: min } : {}), ...(max === undefined ? {} : { maxItems: max }) };
    document({ type: () => [type()], ...limits })(target, key);
  };
}

function nest(type: () => ClassConstructor<object>, keep: (field: Transformed) => unknown): PropertyDecorator {
  return (target, key) => {
    Expose()(target, key);
    Type(type)(target, key);
    Transform(keep, { toClassOnly: true })(target, key);
    ValidateNested({ message: NO_OBJECT })(target, key);
    validatesReading('isNested')(target, key);
  };
}
