import { Inject, Injectable } from '@nestjs/common';
import {
  type Database,
  DATABASE,
  inTransaction,
  type PromoSetKey,
  PromoSetsRepository,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { recordLowStock } from './record-low-stock';

/** The number of remaining codes at which a set counts as low. */
@Injectable()
export class LowStockThreshold {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sets: PromoSetsRepository,
    private readonly webhookEvents: WebhookEventsRepository,
  ) {}

  /**
   * Gives a set in force another threshold; later sets inherit it. The webhooks are told if that makes the set low.
   * @returns false if the set is not in force
   */
  async change(key: PromoSetKey, change: { lowStockAt: number | null; now: Date }): Promise<boolean> {
    return inTransaction(this.database, async (executor) => {
      await this.sets.hold(executor, key.appId);
      const changed = await this.sets.setLowStock(executor, key, change);
      if (changed?.lowSet) await recordLowStock(executor, this.webhookEvents, key.appId, [changed.lowSet]);
      return changed !== null;
    });
  }
}
