import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST = 1_000;
const DEFAULT = 100;
const DIGEST = /^[0-9a-f]{64}$/;

/** The query of `GET /api/admin/apps/:id/opted-out-numbers`. */
export interface ListOptedOutNumbersRequest {
  after: string;
  limit: number;
}

/** A number whose owner wants no SMS. */
export interface OptedOutNumberResponse {
  digest: string;
  provider: string;
  code: string;
  optedOutAt: string;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListOptedOutNumbers(query: unknown): ListOptedOutNumbersRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    after: fields.optional('cursor', (value) => readCursor(value, DIGEST)) ?? '',
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
          digest: {
            type: 'string',
            description: 'stands for the number, which is not kept: HMAC-SHA-256 in hexadecimal',
          },
          provider: { type: 'string' },
          code: { type: 'string', description: "the provider's" },
          optedOutAt: { type: 'string', format: 'date-time' },
        },
      },
    },
    nextCursor: { type: ['string', 'null'] },
  },
};
