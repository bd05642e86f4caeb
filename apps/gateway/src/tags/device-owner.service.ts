import { Injectable } from '@nestjs/common';
import { covers, DomainError } from '@postrider/domain';
import type { Caller } from '../auth/caller';
import { FindOwnersTogether } from '../installations/find-owners-together.service';
import { isUuid } from '../installations/installation-id';
import { UserIdentity } from '../installations/user-identity.service';

/** What a request shows of the device that makes it. */
export interface DeviceClaim {
  userId: string;
  installationId: string | null;
  userHash: string | null;
}

/** Keeps the key that ships inside an app to the device's own user. */
@Injectable()
export class DeviceOwner {
  constructor(
    private readonly owners: FindOwnersTogether,
    private readonly identity: UserIdentity,
  ) {}

  /**
   * Lets a backend's token through. A `devices` token acts for the user of the installation that the request names. The
   * published client names none: then the user has to be proved where the application asks for that.
   *
   * @throws DomainError FORBIDDEN for another user's installation, UNAUTHORIZED for a user that is not proved
   */
  async check({ appId, scopes }: Caller, { userId, installationId, userHash }: DeviceClaim): Promise<void> {
    if (covers(scopes, 'tags')) return;
    if (installationId === null) return this.identity.verify(appId, userId, userHash);
    const owner = isUuid(installationId) ? await this.owners.find(appId, installationId) : null;
    if (owner?.userId !== userId) {
      throw new DomainError('FORBIDDEN', "A device's token acts for the device's own user only");
    }
  }
}
