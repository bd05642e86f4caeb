import type { Type } from '@nestjs/common';
import { readRequest } from '@postrider/contracts';
import {
  type ErrorDetail,
  InvalidRequest,
  isUnstorable,
  type JsonObject,
  mayHoldUnstorable,
  UNSTORABLE,
} from '@postrider/domain';
import { sqlState } from '@postrider/persistence';

/** Also what JSON.stringify, which needs a frame of the stack for each level, cannot write. */
const TOO_LARGE = 'has a value that is too long or too deeply nested';

/** PostgreSQL's classes of invalid values: data exceptions, violated constraints, and limits of its own, as those of an index. */
const BAD_VALUES: readonly [RegExp, string][] = [
  [/^22/, 'has a value of the wrong kind'],
  [/^23502$/, 'lacks a value that it needs'],
  [/^23/, 'has a value that is not allowed'],
  [/^54/, TOO_LARGE],
];

/** What is wrong with a line whose values the tables refuse: the archive's fault. Null: another error. */
export function problemOfValue(error: unknown): string | null {
  if (error instanceof RangeError) return TOO_LARGE;
  const state = sqlState(error) ?? '';
  return BAD_VALUES.find(([states]) => states.test(state))?.[1] ?? null;
}

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

/**
 * Refuses text that PostgreSQL cannot store (NUL, half a surrogate pair), so that the refusal names the line and not the
 * thousand that are written with it.
 *
 * @param text the JSON that `value` was parsed from: a quick check of most lines shows that no text in them needs one
 * @throws WrongLine
 */
export function refuseUnstorable(value: JsonObject, text: string, line: number): void {
  if (!mayHoldUnstorable(text)) return;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const found = left.pop();
    if (typeof found === 'string' && isUnstorable(found)) throw new WrongLine(line, UNSTORABLE);
    if (typeof found === 'object' && found !== null) {
      for (const [name, member] of Object.entries(found)) left.push(name, member);
    }
  }
}
