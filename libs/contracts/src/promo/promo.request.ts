import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST = 1_000;
const DEFAULT = 100;
const MOST_SETS = 200;
const DEFAULT_SETS = 50;
const MOST_CODES = 1_000_000_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ORDINAL = /^\d{1,10}$/;

/** The path and query of an upload of promo codes. */
export interface PromoUploadRequest {
  /** Null: for the application's global set. */
  trackId: string | null;
  /** Whether the answer comes as soon as the file is here. */
  isAsync: boolean;
}

/** The query of `GET /api/promo/sets`. */
export interface ListPromoSetsRequest {
  trackId: string | null;
  /** Null: no matter which. */
  inForce: boolean | null;
  beforeId: string | null;
  limit: number;
}

/** The query of `GET /api/promo/sets/:id/assignments` and of its export. */
export interface ListPromoAssignmentsRequest {
  userId: string | null;
  messageId: string | null;
  afterOrdinal: number;
  limit: number;
}

/** The body of `PUT /api/promo/sets/:id`. */
export interface PromoSetChangeRequest {
  /** Null: nobody is told. */
  lowStockAt: number | null;
}

/** @param trackId of the path; undefined: the path names none @throws InvalidRequest naming every bad parameter */
export function readPromoUpload(query: unknown, trackId?: string): PromoUploadRequest {
  const parameters = new BodyReader(query ?? {});
  const path = new BodyReader({ ...(trackId === undefined ? {} : { track_id: trackId }) }, '', parameters.problems);
  const request = {
    trackId: trackId === undefined ? null : path.requiredName('track_id'),
    isAsync: parameters.boolean('async') ?? false,
  };
  parameters.finish();
  return request;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListPromoSets(query: unknown): ListPromoSetsRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    trackId: fields.name('trackId'),
    inForce: fields.boolean('inForce'),
    beforeId: fields.optional('cursor', (value) => readCursor(value, UUID)),
    limit: fields.integer('limit', 1, MOST_SETS) ?? DEFAULT_SETS,
  };
  fields.finish();
  return request;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListPromoAssignments(query: unknown): ListPromoAssignmentsRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    userId: fields.name('user'),
    messageId: fields.optional<string>('message', (value) =>
      typeof value === 'string' && UUID.test(value) ? { value } : { problem: 'must be the id of a message' },
    ),
    afterOrdinal: Number(fields.optional('cursor', (value) => readCursor(value, ORDINAL)) ?? 0),
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}

/** @throws InvalidRequest naming every bad field */
export function readPromoSetChange(body: unknown): PromoSetChangeRequest {
  const fields = new BodyReader(body);
  if (!fields.names().includes('lowStockAt')) fields.reject('lowStockAt', 'is required: a number of codes, or null');
  const request = { lowStockAt: fields.integer('lowStockAt', 0, MOST_CODES) };
  fields.finish();
  return request;
}
