import { Injectable } from '@nestjs/common';
import { PacingRepository, PresenceRepository } from '@postrider/persistence';
import type { ApplicationChangesRequest } from '@postrider/contracts';
import { EdgeHints } from '@postrider/queues';

/** What changed settings of an application mean for what is under way. */
@Injectable()
export class SettingsEffects {
  constructor(
    private readonly edgeHints: EdgeHints,
    private readonly pacing: PacingRepository,
    private readonly presence: PresenceRepository,
  ) {}

  /**
   * Ends connections of devices that have not proved their user where that is required now, and has the open pages keep to new
   * limits. To be called after the changes are committed.
   */
  async apply(appId: string, changes: ApplicationChangesRequest): Promise<void> {
    if (changes.requireUserHash) this.edgeHints.tellClosures(await this.presence.closeUnproved(appId));
    if (changes.devicesPerSecond || changes.quietHours) await this.pacing.steerOpenPages(appId);
  }
}
