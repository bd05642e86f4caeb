import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type GivenThrough,
  inTransaction,
  PromoCodesRepository,
  type PromoImport,
  PromoImportsRepository,
  PromoSetsRepository,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { recordLowStock } from '../stock/record-low-stock';
import { ImportLost } from './import-lease';

/** Makes a set of a file that is copied whole: counts its codes, leaves out those that were given before, puts it in force. */
@Injectable()
export class SetSettlement {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly imports: PromoImportsRepository,
    private readonly codes: PromoCodesRepository,
    private readonly sets: PromoSetsRepository,
    private readonly webhookEvents: WebhookEventsRepository,
  ) {}

  /** Counts every code of a file once. Done once an import. @throws ImportLost */
  async countCodes(held: PromoImport): Promise<number> {
    if (held.total !== null) return held.total;
    return inTransaction(this.database, async (executor) => {
      await this.codes.allowLongSort(executor);
      const total = await this.codes.removeDoubled(executor, held);
      if (!(await this.imports.noteTotal(executor, held, total))) throw new ImportLost();
      return total;
    });
  }

  /**
   * Takes out the codes that earlier sets of the same source have given away: they stay with their users, although the
   * file has them again.
   * @returns up to where each of those sets was read
   * @throws ImportLost
   */
  async leaveGivenCodes(held: PromoImport): Promise<GivenThrough> {
    return inTransaction(this.database, async (executor) => {
      await this.codes.allowLongSort(executor);
      const through = await this.codes.readGivenThrough(executor, held, held.trackId);
      const count = await this.codes.removeGiven(executor, held, { after: {}, through });
      if (count > 0 && !(await this.imports.noteGiven(executor, held, count))) throw new ImportLost();
      return through;
    });
  }

  /**
   * Puts the set in force, in one transaction that no claim of the application runs beside: all that was given away before it
   * is known, also what was given while the set was settled.
   *
   * @param after up to where earlier sets were looked at (`leaveGivenCodes`)
   * @throws ImportLost
   */
  async putInForce(held: PromoImport, after: GivenThrough): Promise<void> {
    await inTransaction(this.database, async (executor) => {
      await this.codes.allowLongSort(executor);
      await this.sets.hold(executor, held.appId);
      const through = await this.codes.readGivenThrough(executor, held, held.trackId);
      const count = await this.codes.removeGiven(executor, held, { after, through });
      if (count > 0) await this.imports.noteGiven(executor, held, count);
      const swapped = await this.imports.swap(executor, held, this.clock.now());
      if (swapped === null) throw new ImportLost();
      if (swapped.lowSet) await recordLowStock(executor, this.webhookEvents, held.appId, [swapped.lowSet]);
    });
  }
}
