import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import { SEND_ANSWER_SCHEMA } from '@postrider/contracts';

/** The schema of a body, and requests to show. */
type DocumentedBody = { schema: object; examples: Record<string, { value: unknown }> };

/** Documents a sending endpoint (OpenAPI). */
export function ApiSend(summary: string, { schema, examples }: DocumentedBody): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiBody({ required: true, schema, examples }),
    ApiQuery({ name: 'dryRun', required: false, schema: { type: 'boolean' }, description: 'validate and count only' }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: '1-255 printable characters; the same key and body within 24 hours sends once',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiResponse({
      status: 200,
      description: 'accepted: the number of devices the message is sent to',
      headers: {
        'X-Message-Id': { description: 'ids of the messages, the first 20', schema: { type: 'string' } },
        'X-Batch-Id': { description: 'names all messages of an array', schema: { type: 'string', format: 'uuid' } },
        'Idempotent-Replayed': {
          description: '`true` when the answer was kept from before',
          schema: { type: 'string' },
        },
      },
      content: { 'application/json': { schema: SEND_ANSWER_SCHEMA, example: { count: 3 } } },
    }),
    ...ERRORS.map(([status, description]) => ApiResponse({ status, description })),
  );
}

const ERRORS: [status: number, description: string][] = [
  [400, 'bad fields, each named in `details`; nothing is sent'],
  [401, 'no, unknown, revoked or foreign token'],
  [403, 'the token lacks the scope `send`'],
  [409, 'a request with this Idempotency-Key is still running'],
  [422, 'this Idempotency-Key was used for another request'],
  [429, 'over the request limit; see `Retry-After`'],
  [503, 'the database is away; nothing was carried out; see `Retry-After`'],
];
