import { BodyReader } from '../fields/body-reader';

/** The query of `GET /api/segments/:id/sizes`. Null: from the beginning, until now. */
export interface SegmentSizesRequest {
  since: Date | null;
  until: Date | null;
}

/** How big a saved segment was, oldest first: by the hour for two weeks, before that by the day. */
export interface SegmentSizesResponse {
  id: string;
  sizes: {
    at: string;
    /** All devices that matched. */
    devices: number;
    /** Those of them that a message would have been sent to. */
    reachable: number;
    /** Their users; null when counting them would have taken too long. */
    users: number | null;
  }[];
}

/** @throws InvalidRequest naming every bad parameter */
export function readSegmentSizes(query: unknown): SegmentSizesRequest {
  const fields = new BodyReader(query ?? {});
  const request = { since: fields.time('from'), until: fields.time('to') };
  if (request.since && request.until && request.since >= request.until) fields.reject('to', 'must be after from');
  fields.finish();
  return request;
}

const COUNT = { type: 'integer', minimum: 0 };

export const SEGMENT_SIZES_SCHEMA = {
  type: 'object',
  required: ['id', 'sizes'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    sizes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['at', 'devices', 'reachable', 'users'],
        properties: {
          at: { type: 'string', format: 'date-time' },
          devices: COUNT,
          reachable: COUNT,
          users: { type: ['integer', 'null'], minimum: 0 },
        },
      },
    },
  },
};
