import type { ClassConstructor } from 'class-transformer';
import { type ValidationError, validateSync, type ValidatorOptions } from 'class-validator';
import type { ValidationPipeOptions } from '@nestjs/common';
import { type ErrorDetail, isJsonObject, type JsonObject } from '@postrider/domain';
import { isRight, makeRequest } from './class-plan';
import { Unreadable } from './reading';

/** How a request is validated: one problem per field is enough, and the reader of the error computes its path. */
const VALIDATION: ValidatorOptions = {
  stopAtFirstError: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: true },
};

const ABSENT_IS_EMPTY = Symbol('an absent body is an empty one');

/** A request whose body may be left out, which means the same as `{}`. */
export function AbsentBodyIsEmpty(): ClassDecorator {
  return (type) => Reflect.defineMetadata(ABSENT_IS_EMPTY, true, type);
}

/** The body, or `{}` if it is missing and its class needs none. */
export function bodyOf(type: object | undefined, sent: unknown): unknown {
  return type !== undefined && Reflect.hasMetadata(ABSENT_IS_EMPTY, type) ? (sent ?? {}) : sent;
}

/**
 * Reads JSON as a class of these contracts, synchronously and without throwing.
 *
 * @param path its place in the caller's request: '' or `[3]`
 * @returns the request, and all its problems under the caller's own paths; wrong fields are absent
 */
export function readRequest<Request extends object>(
  type: ClassConstructor<Request>,
  json: unknown,
  path = '',
): { request: Request; problems: ErrorDetail[] } {
  const isObject = isJsonObject(json);
  const request = makeRequest(type, isObject ? json : {});
  if (!isObject) return { request, problems: [{ path, message: 'must be a JSON object' }] };
  const problems = problemsOf(validateRequest(request), path);
  if (problems.length > 0) dropUnreadable(request);
  return { request, problems };
}

/** The problems that class-validator finds. Not called for a request without problems. */
function validateRequest(request: object): ValidationError[] {
  return isRight(request) ? [] : validateSync(request, VALIDATION);
}

/**
 * Replaces class-transformer and class-validator in Nest's `ValidationPipe`: these walk through all JSON of a caller,
 * and look up everything each time.
 */
export const REQUEST_PACKAGES: Pick<
  ValidationPipeOptions,
  'transformerPackage' | 'validatorPackage' | 'validationError'
> = {
  // The value of an error tells if it is a list, and so how the path continues.
  validationError: { target: false, value: true },
  transformerPackage: {
    plainToInstance: (type, sent) => makeRequest(type as ClassConstructor<object>, sent as JsonObject) as never,
    classToPlain: (request) => request as JsonObject,
  },
  validatorPackage: { validate: (request) => validateRequest(request as object) },
};

/**
 * Removes what could not be read, also in the objects of a request, and keeps the rest. JSON of the caller's own is
 * left alone.
 */
function dropUnreadable(request: object): void {
  for (const [name, value] of Object.entries(request)) {
    if (value instanceof Unreadable) {
      if (value.readable === undefined) Reflect.deleteProperty(request, name);
      else Reflect.set(request, name, value.readable);
    } else if (Array.isArray(value)) value.filter(isOfClass).forEach(dropUnreadable);
    else if (isOfClass(value)) dropUnreadable(value);
  }
}

function isOfClass(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object)
  );
}

/** The problems of class-validator, under the caller's own paths: `[3].notification.actions[0].url`. */
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
