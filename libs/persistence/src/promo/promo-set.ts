import { sql } from '../sql';

/**
 * `uploading`: its file is on the way; `importing`: the file is there; `in_force`: sends draw from it; `replaced`: they did;
 * `failed`: nothing more will come of it.
 */
export type PromoSetState = 'uploading' | 'importing' | 'in_force' | 'replaced' | 'failed';

/** Names a set. */
export interface PromoSetKey {
  appId: string;
  setId: string;
}

/** The `trackId` under which the ledger keeps an application's global set. A campaign's has at least one character. */
export const GLOBAL_TRACK_ID = '';

/** One upload and the set that it became. */
export interface PromoSet extends PromoSetKey {
  /** The track id of its campaign, or `GLOBAL_TRACK_ID`. */
  trackId: string;
  state: PromoSetState;
  /** Why it failed: because of the file, with `reason` naming the line, or of trouble here. */
  failure: 'file' | 'service' | null;
  reason: string | null;
  /** Size of the file, and how much of it is imported. */
  bytes: number;
  position: number;
  /** Lines read, and codes that they held. */
  lines: number;
  loaded: number;
  /** Different codes in the file; null until all of it was read. */
  total: number | null;
  /** Those of them that an earlier set of the same source had given away. */
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

/** The select list that gives a `PromoSet`; counts fit a double. */
export const PROMO_SET_COLUMNS = sql`app_id AS "appId", set_id AS "setId", track_id AS "trackId", state, failure, reason,
  bytes::float8 AS bytes, position::float8 AS position, lines::float8 AS lines, loaded::float8 AS loaded,
  total::float8 AS total, given_before::float8 AS "givenBefore", remaining::float8 AS remaining,
  assigned::float8 AS assigned, low_stock_at::float8 AS "lowStockAt", low_since AS "lowSince",
  created_at AS "createdAt", in_force_at AS "inForceAt", ended_at AS "endedAt"`;

/** Bytes of every piece of a file but the last: where a byte stands says which piece holds it. */
export const PROMO_CHUNK_BYTES = 262_144;

/** Most codes in one row of `promo_codes`. */
export const PROMO_BLOCK_CODES = 128;
