import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type Database, DATABASE, DevicesRepository, inRetriedTransaction } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { FormerOwner } from './registration/former-owner.service';

const REMOVED = { errorCode: 'installation_removed', reason: 'The installation was removed' };

/** Removes installations. The device gets nothing more, not even what waited for it. */
@Injectable()
export class RemoveInstallation {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly devices: DevicesRepository,
    private readonly formerOwner: FormerOwner,
  ) {}

  /** @returns how many were removed: 1 or 0 */
  async remove(appId: string, installationId: string): Promise<number> {
    const gone = await inRetriedTransaction(this.database, async (executor) => {
      const deviceId = await this.devices.delete(executor, appId, installationId);
      const cause = { ...REMOVED, at: this.clock.now() };
      if (deviceId !== null) await this.devices.skipWaitingDeliveries(executor, appId, [deviceId], cause);
      return deviceId;
    });
    if (gone === null) return 0;
    await this.formerOwner.removed(appId, gone);
    return 1;
  }
}
