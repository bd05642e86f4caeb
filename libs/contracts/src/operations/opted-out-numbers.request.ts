import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST = 1_000;
const DEFAULT = 100;
const PHONE = /^\+?\d{1,20}$/;

/** The query of `GET /api/admin/apps/:id/opted-out-numbers`. */
export interface ListOptedOutNumbersRequest {
  afterPhone: string;
  limit: number;
}

/** A number whose owner wants no SMS. */
export interface OptedOutNumberResponse {
  phone: string;
  provider: string;
  code: string;
  optedOutAt: string;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListOptedOutNumbers(query: unknown): ListOptedOutNumbersRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    afterPhone: fields.optional('cursor', (value) => readCursor(value, PHONE)) ?? '',
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}

export const OPTED_OUT_NUMBERS_SCHEMA = {
  type: 'object',
  required: ['numbers', 'nextCursor'],
  properties: {
    numbers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          phone: { type: 'string' },
          provider: { type: 'string' },
          code: { type: 'string', description: "the provider's" },
          optedOutAt: { type: 'string', format: 'date-time' },
        },
      },
    },
    nextCursor: { type: ['string', 'null'] },
  },
};
