import type { Answer } from './exchange';

/** A JSON body under a status, and when to come back if that is to be said. */
export function jsonAnswer(status: number, body: object, retryAfter?: number | string): Answer {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  return { status, headers, body: JSON.stringify(body) };
}

/** A body as JSON; `undefined` when it is none. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
