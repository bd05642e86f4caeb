import { Inject, Injectable } from '@nestjs/common';
import type { ApplicationChangesRequest } from '@postrider/contracts';
import { closeUnprovedConnections, type Database, DATABASE, PacingRepository } from '@postrider/persistence';
import { EdgeHints } from '@postrider/queues';

/** What changed settings of an application mean for what is under way. */
@Injectable()
export class SettingsEffects {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly edgeHints: EdgeHints,
    private readonly pacing: PacingRepository,
  ) {}

  /**
   * Ends connections of devices that have not proved their user where that is required now, and has the open pages keep to new
   * limits. To be called after the changes are committed.
   */
  async apply(appId: string, changes: ApplicationChangesRequest): Promise<void> {
    if (changes.requireUserHash) this.edgeHints.tellClosures(await closeUnprovedConnections(this.database, appId));
    if (changes.devicesPerSecond || changes.quietHours) await this.pacing.steerOpenPages(appId);
  }
}
