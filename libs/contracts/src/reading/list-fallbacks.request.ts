import { FALLBACK_STATES, type FallbackState } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readCursor } from './cursor';

const MOST = 1_000;
const DEFAULT = 100;
const PLACE = /^[^\0]{1,255}$/su;

/** The query of `GET /api/push/messages/:id/fallbacks`. */
export interface ListFallbacksRequest {
  state: FallbackState | null;
  afterUserId: string;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListFallbacks(query: unknown): ListFallbacksRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    state: fields.oneOf('state', FALLBACK_STATES),
    afterUserId: fields.optional('cursor', (value) => readCursor(value, PLACE)) ?? '',
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}
