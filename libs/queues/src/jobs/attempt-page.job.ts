import { type Lane, PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import { defineJob, type Job } from './job';

/** Work for the delivery worker: try one page with its vendor. */
export type AttemptPagePayload = { appId: string; messageId: string; pageId: string; lane: Lane };

/** Campaign pages wait behind pages of named users. */
const CAMPAIGN_PRIORITY = 10;

function attemptPageOf(vendor: PushVendor): Job<AttemptPagePayload> {
  return defineJob<AttemptPagePayload>({
    queue: `delivery.${vendor}`,
    name: 'attempt-page',
    id: ({ pageId }) => `page-${pageId}`,
    priority: ({ lane }) => (lane === 'campaign' ? CAMPAIGN_PRIORITY : 0),
  });
}

/** The job of a page, by vendor: each vendor has a queue of its own, so that a slow one holds up nobody else. */
export const attemptPage: Record<PushVendor, Job<AttemptPagePayload>> = Object.fromEntries(
  PUSH_VENDORS.map((vendor) => [vendor, attemptPageOf(vendor)]),
) as Record<PushVendor, Job<AttemptPagePayload>>;
