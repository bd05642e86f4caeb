import type { Lane, PushVendor } from '@postrider/domain';
import { groupIntoPages } from '../pages/group-into-pages';
import type { PageKey } from '../pages/page-key';
import { type Parameter, sql, type Sql } from '../sql';

/** A page of devices whose connections did not acknowledge a message. */
export interface HandedPage extends PageKey {
  vendor: PushVendor;
  lane: Lane;
}

/** What is late, and how much of it one turn looks at. */
export interface HandOverTurn {
  routedBefore: Date;
  now: Date;
  limit: number;
  pageSize: number;
}

/** What one turn did. */
export interface HandedOver {
  /** Deliveries that were looked at. */
  deliveries: number;
  pages: HandedPage[];
}

/** Devices for pages of push services, in parts of the statement around them. */
export interface DevicesForVendors {
  /** FROM and WHERE of rows with `app_id`, `message_id`, `id` (of the device), `vendor` and `lane`. */
  devices: Sql;
  pageSize: Parameter;
  now: Parameter;
}

/**
 * An INSERT of pages of push services. Their devices are recorded already, as those of a page that was begun: hence the fence.
 * Returns `app_id`, `message_id`, `id`, `vendor` and `lane`.
 */
export function insertHandedPages({ devices, pageSize, now }: DevicesForVendors): Sql {
  const keys = sql`app_id, message_id, vendor, lane`;
  return sql`
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, fence, wake_at, created_at)
    SELECT app_id, message_id, gen_random_uuid(), vendor, lane, device_ids, 1, ${now}::timestamptz + interval '1 second', ${now}
    FROM (${groupIntoPages({ devices, keys, pageSize })}) page
    RETURNING app_id, message_id, id, vendor, lane`;
}

/** What `insertHandedPages` returned, as one JSON value: an array of `HandedPage`. */
export function handedPagesAsJson(pages: Sql): Sql {
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('appId', app_id, 'messageId', message_id, 'pageId', id, 'vendor', vendor,
      'lane', lane)), '[]') FROM ${pages}
  )`;
}
