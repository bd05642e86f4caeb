import { type ClassConstructor, type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync, type ValidatorOptions } from 'class-validator';
import type { ErrorDetail } from '@postrider/domain';
import { isJsonObject, Unreadable } from './reading';

/** How a request's class is made from JSON: only the fields that it names, and no field that was not sent. */
export const TRANSFORMATION: ClassTransformOptions = { excludeExtraneousValues: true, exposeUnsetFields: false };

/** How it is validated: one problem a field is enough, and where it stands is told by whoever reads the error. */
export const VALIDATION: ValidatorOptions = {
  stopAtFirstError: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: true },
};

const ABSENT_IS_EMPTY = Symbol('an absent body is an empty one');

/** A request whose body may be left out, which says the same as `{}`. */
export function AbsentBodyIsEmpty(): ClassDecorator {
  return (type) => Reflect.defineMetadata(ABSENT_IS_EMPTY, true, type);
}

/** What a body holds: itself, or `{}` where none came for a class that needs none. */
export function bodyOf(type: object | undefined, sent: unknown): unknown {
  return type !== undefined && Reflect.hasMetadata(ABSENT_IS_EMPTY, type) ? (sent ?? {}) : sent;
}

/**
 * Reads JSON as a class of these contracts, at once and without throwing.
 *
 * @param path where it stands in the caller's request: '' or `[3]`
 * @returns the request, and everything that is wrong with it in the caller's own paths; the request is whole only when nothing is wrong
 */
export function readRequest<Request extends object>(
  type: ClassConstructor<Request>,
  json: unknown,
  path = '',
): { request: Request; problems: ErrorDetail[] } {
  const isObject = isJsonObject(json);
  const request = plainToInstance(type, isObject ? json : {}, TRANSFORMATION);
  if (!isObject) return { request, problems: [{ path, message: 'must be a JSON object' }] };
  return { request, problems: problemsOf(validateSync(request, VALIDATION), path) };
}

/** What class-validator found, in the caller's own paths: `[3].notification.actions[0].url`. */
export function problemsOf(errors: readonly ValidationError[], path = '', isList = false): ErrorDetail[] {
  return errors.flatMap((error) => {
    const at = isList ? `${path}[${error.property}]` : pathOf(path, error.property);
    if (error.value instanceof Unreadable) {
      const { problems, of } = error.value;
      return problems.map((problem) => ({
        ...problem,
        path: of === 'field' ? `${at}${problem.path}` : pathOf(path, problem.path),
      }));
    }
    const own = Object.values(error.constraints ?? {}).slice(0, 1);
    const inside = problemsOf(error.children ?? [], at, Array.isArray(error.value));
    return [...own.map((message) => ({ path: at, message })), ...inside];
  });
}

function pathOf(object: string, name: string): string {
  return object === '' || name === '' ? `${object}${name}` : `${object}.${name}`;
}
