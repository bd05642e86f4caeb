import { Inject, Injectable } from '@nestjs/common';
import { type Clock, type CredentialVendor, PUSH_VENDORS } from '@postrider/domain';
import { ReleaseHeldPages } from '@postrider/maintenance';
import { RoutesRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { Quarantine } from './quarantine.service';

/** Restarts held routes: their pages become due at once, and workers handle them without waiting for their time. */
@Injectable()
export class RouteRecovery {
  constructor(
    private readonly routes: RoutesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly heldPages: ReleaseHeldPages,
    private readonly quarantine: Quarantine,
  ) {}

  /**
   * Handles new credentials: the trouble with the former ones is deleted, the vendor's answers about tokens under them
   * are dropped, and everything that waits for the route goes on. It never throws: the credentials are stored, and
   * workers notice them anyway.
   */
  async credentialsChanged(appId: string, vendor: CredentialVendor): Promise<void> {
    try {
      await this.routes.forgetTrouble({ appId, vendor });
      await this.quarantine.release({ appId, vendor });
      await this.#release(appId, vendor);
    } catch (error) {
      this.logger.warn({ appId, vendor, err: error }, 'route.not-released');
    }
  }

  /** Forgets the trouble with credentials that were deleted. It never throws: they are deleted. */
  async credentialsRemoved(appId: string, vendor: CredentialVendor): Promise<void> {
    try {
      await this.routes.forgetTrouble({ appId, vendor });
    } catch (error) {
      this.logger.warn({ appId, vendor, err: error }, 'route.trouble-not-forgotten');
    }
  }

  /** Makes workers try a held route again at once. @returns the number of pages that waited for it */
  async retryNow(appId: string, vendor: CredentialVendor): Promise<number> {
    await this.routes.askForRetry({ appId, vendor }, this.clock.now());
    return this.#release(appId, vendor);
  }

  async #release(appId: string, vendor: CredentialVendor): Promise<number> {
    const pushVendor = PUSH_VENDORS.find((known) => known === vendor);
    if (pushVendor === undefined) {
      await this.routes.releaseFallbacks(appId, this.clock.now());
      return 0;
    }
    return this.heldPages.release(appId, pushVendor);
  }
}
