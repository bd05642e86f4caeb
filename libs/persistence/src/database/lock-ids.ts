import { type Parameter, type Sql, sql } from '../sql';

/**
 * Every advisory lock of the database that is a number, in one place, so that no two are equal. A number never changes
 * its meaning, because processes of two versions run side by side during a roll-out. PostgreSQL has one space of 64-bit
 * numbers for these and for the hashes below.
 */
export const LOCK_IDS = {
  /** Held while migrations run, so that two processes migrate one after the other. */
  migrations: 7_276_331,
  /** Held while a daily partition is made, so that two processes do not make it twice. */
  partitions: 7_276_332,

  // Maintenance tasks: a worker holds the lock while it runs the task (libs/maintenance).
  recoverPages: 7_276_333,
  endWaitingDeliveries: 7_276_334,
  measureSegments: 7_276_335,
  keepPartitions: 7_276_336,
  recoverPromoSets: 7_276_337,
  deleteOldPromoRecords: 7_276_338,
  recoverLostJobs: 7_276_339,
  recoverMessages: 7_276_340,
  recoverFallbacks: 7_276_341,
  recoverWebhooks: 7_276_342,
  recoverTagJobs: 7_276_343,
  endCancelledPages: 7_276_344,
  openConnectionPages: 7_276_345,
  rerouteLateMessages: 7_276_346,
  closeUnprovedConnections: 7_276_347,
  deleteOldFallbacks: 7_276_348,
  deleteOldWebhookEvents: 7_276_349,
  deleteOldPaces: 7_276_350,
  deleteOldTokenAnswers: 7_276_351,
  deleteOldTrackerData: 7_276_352,
  deleteOldIdempotencyKeys: 7_276_353,
  resumeErasures: 7_276_354,
  switchOffDeadTokens: 7_276_355,
  recoverDeviceImports: 7_276_371,
  forgetOldContacts: 7_276_381,
  chooseWinners: 7_276_391,
  releaseQuiet: 7_276_401,
  deleteEndedSessions: 7_276_411,
  renewStatistics: 7_276_421,
  resumeRemovals: 7_276_431,
  dropPartitions: 7_276_441,
} as const;

/** What the name of an application's lock is made of: a value, or the parameter of a statement that holds it. */
type Text = string | Parameter | Sql;

/**
 * Returns the lock that the registration of a device takes for each name of the device: the digest of its vendor
 * token, its installations.
 */
export function deviceLock(of: { app: Text; name: Text }): Sql {
  return sql`hashtextextended(${of.app} || ' ' || ${of.name}, 0)`;
}

/** Returns the lock that a request takes while it runs under an idempotency key. */
export function idempotencyLock(of: { app: Text; key: Text }): Sql {
  return sql`hashtextextended(${of.app} || chr(10) || ${of.key}, 0)`;
}

/** Returns the lock that a transaction takes to claim codes of an application's promo sets, or to swap the sets. */
export function promoSetsLock(of: { app: Text }): Sql {
  return sql`hashtextextended(${of.app}, 7276332)`;
}

/** Returns the lock that a delivery worker holds for as long as it lives. */
export function workerLock(of: { workerId: Text }): Sql {
  return sql`hashtextextended('delivery worker ' || ${of.workerId}, 0)`;
}

/** Returns the lock of one of an application's two places for heavy reads. */
export function heavyReadLock(of: { app: Text; place: 1 | 2 }): Sql {
  const place = of.place === 1 ? sql`'heavy read 1 '` : sql`'heavy read 2 '`;
  return sql`hashtextextended(${place} || ${of.app}, 0)`;
}
