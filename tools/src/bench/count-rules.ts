import type { JsonObject } from '@postrider/domain';

/** A typical segment, and the condition that a person would write for it by hand over `installations i`. */
export interface CountRule {
  name: string;
  segment: JsonObject;
  /** Uses `$2` = `now`. */
  sql: string;
  /** True if the hand-written statement joins `users u`. */
  joinsUsers?: boolean;
}

const rule = (name: string, operator: string, value: JsonObject[string]): JsonObject => ({ name, operator, value });
const all = (...rules: JsonObject[]): JsonObject => ({ all: rules });

/** Typical rules, roughly by frequency. */
export const COUNT_RULES: readonly CountRule[] = [
  { name: 'deviceType', segment: all(rule('deviceType', 'equal_to', 'ios')), sql: `i.device_type = 'ios'` },
  { name: 'one tag', segment: all(rule('tags', 'equal_to', 'chess')), sql: `i.tags @> '{chess}'` },
  { name: 'any of two tags', segment: all(rule('tags', 'include', ['chess', 'سفر'])), sql: `i.tags && '{chess,سفر}'` },
  { name: 'not a tag', segment: all(rule('tags', 'not_equal', 'news')), sql: `NOT i.tags @> '{news}'` },
  {
    name: 'tag value',
    segment: all(rule('tags.plan', 'equal_to', 'premium')),
    sql: `i.tag_values ->> 'plan' = 'premium'`,
  },
  {
    name: 'opened lately',
    segment: all(rule('launchTime', 'after', '24h')),
    sql: `i.launch_time > $2::timestamptz - interval '24 hours'`,
  },
  {
    name: 'not seen for long',
    segment: all(rule('launchTime', 'before', '30d')),
    sql: `i.launch_time < $2::timestamptz - interval '30 days'`,
  },
  { name: 'launch count', segment: all(rule('launchCount', 'greater_than', 100)), sql: `i.launch_count > 100` },
  {
    name: 'old version',
    segment: all(rule('clientVersion', 'lesser_than', '2.3')),
    sql: `i.client_version_key < (SELECT min(client_version_key) FROM installations WHERE client_version = '2.3.0')`,
  },
  {
    name: 'near by',
    segment: all(rule('nearBy', 'include', { lat: 52.52, lng: 13.405, radius: 10_000 })),
    sql: `i.latitude BETWEEN 52.43 AND 52.61 AND i.longitude BETWEEN 13.25 AND 13.56
      AND 12742000 * asin(sqrt(sin(radians(i.latitude - 52.52) / 2) ^ 2
        + cos(radians(52.52)) * cos(radians(i.latitude)) * sin(radians(i.longitude - 13.405) / 2) ^ 2)) <= 10000`,
  },
  {
    name: 'attribute',
    segment: all(rule('purchase.count', 'greater_than', 20)),
    sql: `CASE WHEN i.attributes ? 'purchase.count' THEN jsonb_typeof(i.attributes -> 'purchase.count') = 'number'
        AND (i.attributes -> 'purchase.count')::numeric > 20
      WHEN u.attributes ? 'purchase.count' THEN jsonb_typeof(u.attributes -> 'purchase.count') = 'number'
        AND (u.attributes -> 'purchase.count')::numeric > 20 ELSE false END`,
    joinsUsers: true,
  },
  {
    name: 'four rules',
    segment: all(
      rule('deviceType', 'equal_to', 'android'),
      rule('tags', 'include', ['sport', 'running']),
      rule('launchTime', 'after', '240h'),
      rule('launchCount', 'greater_equals', 10),
    ),
    sql: `i.device_type = 'android' AND i.tags && '{sport,running}'
      AND i.launch_time > $2::timestamptz - interval '240 hours' AND i.launch_count >= 10`,
  },
];
