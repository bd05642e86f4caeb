import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';

/** Documents the parameters of a list: its filters, and where and how far to read. */
export function ApiListQuery(...filters: string[]): MethodDecorator {
  return applyDecorators(
    ...filters.map((name) => ApiQuery({ name, required: false, schema: { type: 'string' } })),
    ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' }, description: '`nextCursor` of an answer' }),
    ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1 } }),
  );
}
