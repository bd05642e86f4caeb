import type { Executor, LowPromoSet, WebhookEventsRepository } from '@postrider/persistence';

/**
 * Reports sets whose stock fell to their threshold to the application's webhooks, in the transaction in which it fell.
 */
export async function recordLowStock(
  executor: Executor,
  webhookEvents: WebhookEventsRepository,
  appId: string,
  lowSets: readonly LowPromoSet[],
): Promise<void> {
  if (lowSets.length === 0) return;
  await webhookEvents.record(
    executor,
    lowSets.map(({ setId, trackId, remaining, lowStockAt }) => ({
      appId,
      type: 'promo.low_stock' as const,
      data: {
        promoSetId: trackId === '' ? appId : setId,
        trackId: trackId === '' ? null : trackId,
        remaining,
        lowStockAt,
      },
    })),
  );
}
