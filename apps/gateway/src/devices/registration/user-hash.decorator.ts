import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { LONGEST_HASH } from '@postrider/contracts';
import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

const DESCRIPTION =
  "The hash of the user's id, which proves the user: needed where the application requires it or protects attributes";

/**
 * The `userHash` of a request: the header `X-User-Hash`, else the query's `userHash`, else the body's. Null: none, or
 * it has not the form of a hash.
 */
export const UserHash = createParamDecorator((_: unknown, context: ExecutionContext): string | null => {
  const { headers, query, body } = context.switchToHttp().getRequest<FastifyRequest>();
  return textIn(headers, 'x-user-hash') ?? textIn(query, 'userHash') ?? textIn(body, 'userHash');
});

/** Documents where a request may have the `userHash`. The body's is documented with the body. */
export function ApiUserHash(): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'X-User-Hash', required: false, description: DESCRIPTION }),
    ApiQuery({ name: 'userHash', required: false, schema: { type: 'string' }, description: DESCRIPTION }),
  );
}

function textIn(place: unknown, name: string): string | null {
  if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return null;
  const value = (place as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_HASH ? value : null;
}
