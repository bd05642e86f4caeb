import { Inject, Injectable } from '@nestjs/common';
import {
  type Database,
  DATABASE,
  inTransaction,
  PromoAssignmentsRepository,
  type PromoClaim,
  PromoSetsRepository,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { recordLowStock } from '../stock/record-low-stock';

/** Placeholder for a code in previews and test sends. */
export const SAMPLE_PROMO_CODE = 'PROMO-CODE';

/** Gives each user of a message one promo code. */
@Injectable()
export class PromoCodeClaims {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sets: PromoSetsRepository,
    private readonly assignments: PromoAssignmentsRepository,
    private readonly webhookEvents: WebhookEventsRepository,
  ) {}

  /**
   * Gives each user of a message one promo code, and the same one whenever it is asked again: for their other devices,
   * on other pages, after a crash. Sources in their order: the campaign's set in force, the global one. Null: both were
   * used up at the first request, and the user stays without. No code is given twice by any number of workers, and none
   * is lost: it is one transaction of two statements, and claims of one application follow one another.
   * @param claim `isTest`: every user gets the sample, and no code is taken
   * @returns an entry for every user
   */
  async claim({ isTest = false, ...claim }: PromoClaim & { isTest?: boolean }): Promise<Map<string, string | null>> {
    if (claim.userIds.length === 0) return new Map();
    if (isTest) return new Map(claim.userIds.map((userId) => [userId, SAMPLE_PROMO_CODE]));
    return inTransaction(this.database, async (executor) => {
      await this.sets.hold(executor, claim.appId);
      const { claimed, lowSets } = await this.assignments.claim(executor, claim);
      await recordLowStock(executor, this.webhookEvents, claim.appId, lowSets);
      return new Map(claimed.map(({ userId, code }) => [userId, code]));
    });
  }

  /**
   * Returns the codes that a message gave these users. A user without an entry was never asked for; nothing is claimed
   * here.
   */
  async find(of: {
    appId: string;
    messageId: string;
    userIds: readonly string[];
  }): Promise<Map<string, string | null>> {
    if (of.userIds.length === 0) return new Map();
    const found = await this.assignments.find(of);
    return new Map(found.map(({ userId, code }) => [userId, code]));
  }
}
