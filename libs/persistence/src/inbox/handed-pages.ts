import type { Lane, PushVendor } from '@postrider/domain';
import type { PageKey } from '../pages/claim-page.query';

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

/**
 * A common table expression that makes pages of `numbered (app_id, message_id, device_id, vendor, lane, place)`; $2 is now. Their
 * devices are recorded already, as those of a page that was begun: hence the fence.
 */
export const HANDED_PAGES = `paged AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, fence, wake_at, created_at)
    SELECT app_id, message_id, gen_random_uuid(), vendor, lane, array_agg(device_id ORDER BY device_id), 1,
      $2::timestamptz + interval '1 second', $2
    FROM numbered GROUP BY app_id, message_id, vendor, lane, place
    RETURNING app_id, message_id, id, vendor, lane
  )`;

/** The pages of `HANDED_PAGES` as a column of a statement that holds it. */
export const HANDED_PAGES_AS_JSON = `(
    SELECT coalesce(jsonb_agg(jsonb_build_object('appId', app_id, 'messageId', message_id, 'pageId', id, 'vendor', vendor,
      'lane', lane)), '[]') FROM paged
  ) AS pages`;
