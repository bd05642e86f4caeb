import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';

/** How many a page of a list holds: at most, and when nobody says. The readers in `libs/contracts` decide; a test holds them together. */
export interface PageLimit {
  most: number;
  usual: number;
}

/** Documents the parameters of a list: its filters, and where and how far to read. */
export function ApiListQuery(limit: PageLimit, ...filters: string[]): MethodDecorator {
  return applyDecorators(
    ...filters.map((name) => ApiQuery({ name, required: false, schema: { type: 'string' } })),
    ApiQuery({ name: 'cursor', required: false, schema: { type: 'string' }, description: '`nextCursor` of an answer' }),
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: limit.most, default: limit.usual },
    }),
  );
}
