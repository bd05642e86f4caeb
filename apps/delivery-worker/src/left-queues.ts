import { PUSH_VENDORS } from '@postrider/domain';
import type { Config } from '@postrider/platform';
import { attemptCampaignPage, attemptPage, sendFallbacks, sendWebhookEvents } from '@postrider/queues';

const ofCampaigns = PUSH_VENDORS.map((vendor) => attemptCampaignPage[vendor].queue);
const others = [
  ...PUSH_VENDORS.map((vendor) => attemptPage[vendor].queue),
  sendFallbacks.queue,
  sendWebhookEvents.queue,
];

const LEFT: Readonly<Record<Config['deliveryLanes'], readonly string[]>> = {
  all: [],
  campaign: others,
  transactional: ofCampaigns,
};

/**
 * Returns the queues that a delivery worker of these lanes leaves to other delivery workers. The worker of named users
 * also processes fallback SMS and webhooks: they are few beside a campaign, and must not wait for it.
 */
export function leftQueues(lanes: Config['deliveryLanes']): readonly string[] {
  return LEFT[lanes];
}
