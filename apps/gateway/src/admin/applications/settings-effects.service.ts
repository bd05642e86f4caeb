import { Injectable } from '@nestjs/common';
import { PacingRepository, PresenceRepository } from '@postrider/persistence';
import type { ApplicationChangesRequest } from '@postrider/contracts';
import { EdgeHints } from '@postrider/queues';
import { CallerLookup } from '../../auth/caller-lookup.service';
import { UserIdentity } from '../../devices/registration/user-identity.service';

/** Applies changed settings of an application to the next requests of this gateway, and to work in progress. */
@Injectable()
export class SettingsEffects {
  constructor(
    private readonly callers: CallerLookup,
    private readonly identity: UserIdentity,
    private readonly edgeHints: EdgeHints,
    private readonly pacing: PacingRepository,
    private readonly presence: PresenceRepository,
  ) {}

  /**
   * If the application now requires proved users, it ends connections of devices that have not proved theirs. Open
   * pages follow new limits. Call it after the changes are committed. (What waits for the end of former quiet hours is
   * released by a maintenance task, `release-quiet`.)
   */
  async apply(appId: string, changes: ApplicationChangesRequest): Promise<void> {
    this.identity.forget(appId);
    this.callers.forget(appId);
    if (changes.requireUserHash) this.edgeHints.tellClosures(await this.presence.closeUnproved(appId));
    if (changes.devicesPerSecond || changes.quietHours) await this.pacing.steerOpenPages(appId);
  }

  /** Checks users with the application's new identity key from the next request of this gateway on. Call it after the change. */
  identityKeyChanged(appId: string): void {
    this.identity.forget(appId);
  }

  /** Refuses the application's access tokens from the next request of this gateway on. Call it after they are revoked. */
  removalBegan(appId: string): void {
    this.callers.forget(appId);
  }
}
