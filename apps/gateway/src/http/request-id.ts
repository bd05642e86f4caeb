import type { IncomingHttpHeaders } from 'node:http';
import { newId } from '@postrider/platform';

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The caller's own `X-Request-Id` when it is fit to be logged and echoed, else a new one. */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  return givenRequestId(request) ?? newId();
}

/** The caller's own `X-Request-Id` when it is fit to be logged and echoed. */
export function givenRequestId({ headers }: { headers: IncomingHttpHeaders }): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}
