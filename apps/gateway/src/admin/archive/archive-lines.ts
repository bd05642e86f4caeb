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

const HALF_OR_NUL = /[\p{Surrogate}\0]/u;
/** The only spellings by which NUL or half a surrogate pair passes a JSON parser from valid UTF-8. */
const RISKY_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Refuses text that PostgreSQL cannot store (NUL, half a surrogate pair), so that the refusal names the line and not the
 * thousand that are written with it.
 *
 * @param text the JSON that `value` was parsed from: a quick check of most lines shows that no text in them needs one
 * @throws WrongLine
 */
export function refuseUnstorable(value: JsonObject, text: string, line: number): void {
  if (!RISKY_ESCAPE.test(text)) return;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const found = left.pop();
    if (typeof found === 'string' && HALF_OR_NUL.test(found))
      throw new WrongLine(line, 'must not contain NUL or half a surrogate pair');
    if (typeof found === 'object' && found !== null) {
      for (const [name, member] of Object.entries(found)) left.push(name, member);
    }
  }
}
