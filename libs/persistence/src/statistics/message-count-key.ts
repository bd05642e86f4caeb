import { createHash } from 'node:crypto';
import { type Sql, sql } from '../sql';

/** The platform by which a device is counted, from its `device_type`. */
export function countedPlatform(deviceType: Sql): Sql {
  return sql`CASE WHEN ${deviceType} ~ '^(ios|iphone|ipad)' THEN 'ios' WHEN ${deviceType} ~ '^android' THEN 'android'
  WHEN ${deviceType} ~ '^(web|chrome|firefox|safari|edge|opera)' THEN 'web' ELSE 'other' END`;
}

/** A short replacement for a name in an index, because a link can be longer than an index row may be. */
export function nameKey(name: string): Buffer {
  return createHash('sha256').update(name, 'utf8').digest().subarray(0, 16);
}
