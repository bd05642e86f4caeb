import { Inject, Injectable } from '@nestjs/common';
import { keepsQuietHours, quietZonesAt } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type DueConnectionPage,
  type Executor,
  inTransaction,
  PacingRepository,
} from '@postrider/persistence';

/**
 * Keeps quiet hours for pages of connections whose time has come: a page that waited for the winner of a campaign, or
 * for its turn in a rate, may come due in the night. (A delivery worker does this for pages of vendors when it claims
 * them.)
 */
@Injectable()
export class PutOffQuiet {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pacing: PacingRepository,
  ) {}

  /**
   * Takes devices that have quiet hours now off these pages: they go on pages of their own that are due when those
   * hours end, or are skipped. Safe to repeat.
   * @returns true if any page changed
   */
  async putOff(pages: readonly DueConnectionPage[], now: Date): Promise<boolean> {
    let isChanged = false;
    for (const page of pages) {
      if (!page.mayBeQuiet) continue;
      const isPutOff = await inTransaction(this.database, (executor) => this.#putOff(executor, page, now));
      isChanged ||= isPutOff;
    }
    return isChanged;
  }

  async #putOff(executor: Executor, { appId, messageId, pageId }: DueConnectionPage, now: Date): Promise<boolean> {
    const key = { appId, messageId, pageId };
    const page = await this.pacing.lockPage(executor, key, now);
    if (page === null || page.expiresAt <= now || !keepsQuietHours(page.quietHours, page.lane)) return false;
    const quiet = quietZonesAt(now, page, await this.pacing.readZones(executor, key));
    if (quiet.length === 0) return false;
    await this.pacing.putOffQuiet(executor, key, quiet, now);
    return true;
  }
}
