import { sql } from '../sql';

/**
 * `uploading`: its file is on the way; `importing`: the file has arrived; `in_force`: sends use it; `replaced`: sends
 * used it; `failed`: it will not be imported any further.
 */
export type PromoSetState = 'uploading' | 'importing' | 'in_force' | 'replaced' | 'failed';

/** Names a set. */
export interface PromoSetKey {
  appId: string;
  setId: string;
}

/** The `trackId` of an application's global set. The id of a campaign has at least one character. */
export const GLOBAL_TRACK_ID = '';

/** One upload and the set that it became. */
export interface PromoSet extends PromoSetKey {
  /** The track id of its campaign, or `GLOBAL_TRACK_ID`. */
  trackId: string;
  state: PromoSetState;
  /** Why it failed: because of the file, with `reason` naming the line, or because of a problem of the service. */
  failure: 'file' | 'service' | null;
  reason: string | null;
  /** The size of the file, and how much of it is imported. */
  bytes: number;
  position: number;
  /** Lines read, and the number of codes in them. */
  lines: number;
  loaded: number;
  /** Different codes in the file. Null until all of it was read. */
  total: number | null;
  /** Codes that an earlier set of the same source had given out. */
  givenBefore: number;
  remaining: number;
  assigned: number;
  lowStockAt: number | null;
  lowSince: Date | null;
  createdAt: Date;
  inForceAt: Date | null;
  /** When it was replaced or failed. */
  endedAt: Date | null;
}

/** A set whose stock fell to its threshold. */
export interface LowPromoSet {
  setId: string;
  trackId: string;
  remaining: number;
  lowStockAt: number;
}

/** The select list that gives a `PromoSet`. Counts fit into a double. */
export const PROMO_SET_COLUMNS = sql`app_id AS "appId", set_id AS "setId", track_id AS "trackId", state, failure, reason,
  bytes::float8 AS bytes, position::float8 AS position, lines::float8 AS lines, loaded::float8 AS loaded,
  total::float8 AS total, given_before::float8 AS "givenBefore", remaining::float8 AS remaining,
  assigned::float8 AS assigned, low_stock_at::float8 AS "lowStockAt", low_since AS "lowSince",
  created_at AS "createdAt", in_force_at AS "inForceAt", ended_at AS "endedAt"`;

/** The size in bytes of every piece of a file except the last: the position of a byte tells its piece. */
export const PROMO_CHUNK_BYTES = 262_144;

/** Most codes in one row of `promo_codes`. */
export const PROMO_BLOCK_CODES = 128;

/** The `user_id` of a code that was given to a user who was erased meanwhile. A user's id has at least one character. */
export const ERASED_USER = '';
