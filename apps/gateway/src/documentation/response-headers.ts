import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;
type Headers = NonNullable<Response['headers']>;

/** `components.headers`: the headers that answers of many operations have. */
export const COMMON_HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request in the logs: what the caller gave in `X-Request-Id`, or a new one',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'The number of seconds after which the request may be made again',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'The kind of credentials to give (RFC 9110, 11.6.1)', schema: { type: 'string' } },
  'Content-Disposition': {
    description: 'The name that a browser gives the file (RFC 6266)',
    schema: { type: 'string' },
  },
} as const satisfies Headers;

type HeaderName = keyof typeof COMMON_HEADERS;

const OF_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The types of answers that a browser saves as a file. */
const FILES = ['text/csv', 'application/gzip'];

/** Answered before a request could be read, which then has no id. */
const UNREAD = '431';

/** Adds to a response with this status the common headers that it has, beside those that it documents itself. */
export function addCommonHeaders(status: string, response: Response): void {
  const isFile = FILES.some((type) => type in (response.content ?? {}));
  const names: HeaderName[] = [...(OF_STATUS[status] ?? [])];
  if (status !== UNREAD) names.push('X-Request-Id');
  if (isFile) names.push('Content-Disposition');
  const common = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
  response.headers = { ...Object.fromEntries(common), ...response.headers };
}
