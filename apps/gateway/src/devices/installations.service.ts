import { Inject, Injectable } from '@nestjs/common';
import { type Clock, isUuid, REMOVED } from '@postrider/domain';
import { FormerOwner } from '@postrider/maintenance';
import {
  type Database,
  DATABASE,
  DevicesRepository,
  inRetriedTransaction,
  type InstallationOfUser,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';

/** Finds and removes installations of one application. */
@Injectable()
export class Installations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly devices: DevicesRepository,
    private readonly formerOwner: FormerOwner,
  ) {}

  /** Finds the installations with these ids, in the order of the ids. Unknown ones are left out. */
  async find(appId: string, ids: readonly string[]): Promise<InstallationOfUser[]> {
    const wanted = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
    if (wanted.length === 0) return [];
    const found = await this.devices.find(this.database, appId, wanted);
    const byId = new Map(found.map((installation) => [installation.installationId, installation]));
    return wanted.flatMap((id) => byId.get(id) ?? []);
  }

  /**
   * Removes an installation. The device gets nothing more, not even what waited for it.
   *
   * @returns the number of removed installations: 1 or 0
   */
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
