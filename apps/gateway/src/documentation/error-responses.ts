import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { RouteAccess } from '../auth/route-access.decorator';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;

const RETRY_AFTER = { 'Retry-After': { description: 'seconds', schema: { type: 'integer', minimum: 1 } } } as const;
const CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** Every error that more than a few operations answer, and when. What else one answers stands at its route. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'a bad field, parameter or path; `details` names each',
  401: 'no, an unknown, a revoked or a foreign token, or two different ones; no right `userHash` where one is required',
  403: "the token's scopes do not cover the call, or what it names is not the device's own",
  404: 'what the path names is not there, or the application that the operator names',
  406: '`Accept` excludes what is answered',
  408: 'the body did not arrive in time',
  413: 'the body is too large',
  415: 'the body is of another type, in another charset, or compressed',
  429: 'over the request limit, too many large reads at once, or too many wrong tokens',
  431: 'the headers are too large',
  500: 'something that nobody foresaw',
  503: 'the database is away; nothing was carried out',
};

/** `components.responses`: one for each error. */
export function errorResponses(): Responses {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => {
      const headers = status === '429' || status === '503' ? { headers: RETRY_AFTER } : {};
      return [nameOf(Number(status)), { description, ...headers, content: CONTENT }];
    }),
  );
}

/** Says how an operation fails, beside what its route says itself. Every status that occurs is there, so there is no `default`. */
export function addErrors(operation: Operation, method: string, path: string, access: RouteAccess['kind']): void {
  for (const status of statusesOf(method, path, access)) {
    operation.responses[status] ??= { $ref: `#/components/responses/${nameOf(status)}` };
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!response || '$ref' in response) continue;
    if (Number(status) >= 400) response.content ??= CONTENT;
    if (response.description === '') response.description = STATUS_CODES[status] ?? status;
  }
}

function statusesOf(method: string, path: string, access: RouteAccess['kind']): number[] {
  return [
    ...[400, 406, 429, 431, 500, 503],
    ...(access === 'public' ? [] : [401]),
    ...(access === 'operator' ? [] : [403]),
    ...(access === 'token' || path.includes('{') ? [404] : []),
    ...(method === 'get' ? [] : [408, 413, 415]),
  ];
}

/** 413 is `PayloadTooLarge`. */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '');
}
