import { Inject, Injectable } from '@nestjs/common';
import { isUuid } from '@postrider/domain';
import { type Database, DATABASE, DevicesRepository, type InstallationOfUser } from '@postrider/persistence';

/** Finds installations of one application. */
@Injectable()
export class FindInstallations {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly devices: DevicesRepository,
  ) {}

  /** The installations with these ids, in the order of the ids; those that are not known are left out. */
  async byIds(appId: string, ids: readonly string[]): Promise<InstallationOfUser[]> {
    const wanted = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
    if (wanted.length === 0) return [];
    const found = await this.devices.find(this.database, appId, wanted);
    const byId = new Map(found.map((installation) => [installation.installationId, installation]));
    return wanted.flatMap((id) => byId.get(id) ?? []);
  }
}
