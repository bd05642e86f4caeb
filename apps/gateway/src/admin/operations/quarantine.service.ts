import { Inject, Injectable } from '@nestjs/common';
import type { AppliedQuarantineResponse, ReleasedQuarantineResponse } from '@postrider/contracts';
import { type Clock, HOUR_MS } from '@postrider/domain';
import { type Database, DATABASE, DeadTokensRepository, inTransaction, type VendorKey } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';

const TOKENS_A_STEP = 5_000;
/** After the operator has confirmed that tokens are dead, the vendor is trusted about others for this long. */
const TRUSTED_FOR_MS = HOUR_MS;

/**
 * Carries out the operator's decisions about tokens in quarantine. If a call is interrupted, the next one continues.
 */
@Injectable()
export class Quarantine {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly deadTokens: DeadTokensRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Switches off the noted tokens that devices still have from the same registration: the operator has decided that
   * they are dead.
   */
  async apply(key: VendorKey): Promise<AppliedQuarantineResponse> {
    const now = this.clock.now();
    await this.deadTokens.endQuarantine(this.database, key, new Date(now.getTime() + TRUSTED_FOR_MS));
    const end = { switchedOff: 0, kept: 0 };
    for (;;) {
      const { taken, switchedOff } = await this.deadTokens.applyQuarantine(key, now, TOKENS_A_STEP);
      end.switchedOff += switchedOff;
      end.kept += taken - switchedOff;
      if (taken < TOKENS_A_STEP) break;
    }
    this.logger.info({ ...key, ...end }, 'quarantine.applied');
    return end;
  }

  /** Deletes the notes about the tokens: the operator has decided that they are good. */
  async release(key: VendorKey): Promise<ReleasedQuarantineResponse> {
    // While the quarantine is in force, neither these tokens nor those that join it can be switched off.
    const before = await this.#releaseAll(key);
    const released = await inTransaction(this.database, async (executor) => {
      await this.deadTokens.endQuarantine(executor, key, null);
      return before + (await this.deadTokens.releaseQuarantine(executor, key, TOKENS_A_STEP));
    });
    // New credentials release what is in quarantine, mostly nothing.
    if (released > 0) this.logger.info({ ...key, released }, 'quarantine.released');
    return { released };
  }

  async #releaseAll(key: VendorKey): Promise<number> {
    for (let released = 0; ;) {
      const some = await inTransaction(this.database, (executor) =>
        this.deadTokens.releaseQuarantine(executor, key, TOKENS_A_STEP),
      );
      released += some;
      if (some < TOKENS_A_STEP) return released;
    }
  }
}
