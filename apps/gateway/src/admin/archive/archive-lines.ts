import type { Type } from '@nestjs/common';
import { readRequest } from '@postrider/contracts';
import { type ErrorDetail, InvalidRequest, type JsonObject } from '@postrider/domain';

/** PostgreSQL's classes of invalid values: data exceptions, and violated constraints. */
export const BAD_VALUE = /^2[23]/;

/** Reads a member as the body of a request. @throws WrongLine with its first problem */
export function requestOf<T extends object>(type: Type<T>, value: JsonObject, line: number): T {
  const { request, problems } = readRequest(type, value);
  refuseFirst(problems, line);
  return request;
}

/** @throws WrongLine if there is a problem */
export function refuseFirst([problem]: readonly ErrorDetail[], line: number): void {
  if (problem !== undefined) throw new WrongLine(line, `${problem.path} ${problem.message}`.trim());
}

/** The refusal of a line, which it names. */
export class WrongLine extends InvalidRequest {
  constructor(line: number, message: string) {
    super([{ path: `line ${line}`, message }]);
  }
}
