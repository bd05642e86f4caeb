import { Injectable } from '@nestjs/common';
import { covers, DomainError, isUuid, type Scope } from '@postrider/domain';
import type { Caller } from '../auth/caller';
import { OwnerLookups } from '../devices/registration/owner-lookups.service';
import { UserIdentity } from '../devices/registration/user-identity.service';

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
    private readonly owners: OwnerLookups,
    private readonly identity: UserIdentity,
  ) {}

  /**
   * Lets a backend's token through. With a `devices` token the application decides whose tags may be edited (`clientTags`): its
   * own device's user's, who is shown by an installation or by the hash, any user's, or nobody's. Where it requires user
   * hashes, only the hash shows the user. The same holds for the events that it tracks.
   *
   * @param backendScope the scope that a backend's token has for this
   * @throws DomainError FORBIDDEN for anybody else's tags, UNAUTHORIZED for a user that is not proved
   */
  async checkEditor(
    { appId, scopes }: Caller,
    { userId, installationId, userHash }: DeviceClaim,
    backendScope: Scope = 'tags',
  ): Promise<void> {
    if (covers(scopes, backendScope)) return;
    const clientTags = await this.identity.clientTagsOf(appId);
    if (clientTags === 'none')
      throw new DomainError('FORBIDDEN', 'The application does not let devices change the data of users');
    const isProved = await this.identity.verify(appId, userId, userHash);
    if (isProved || clientTags === 'any') return;
    if (installationId === null || (await this.#ownerOf(appId, installationId)) !== userId) {
      throw new DomainError(
        'FORBIDDEN',
        "A device's token acts for the device's own user only: name its installationId",
      );
    }
  }

  /** Lets a device read about a user, who has to be proved where the application asks for that. @throws DomainError UNAUTHORIZED */
  async checkReader({ appId, scopes }: Caller, userId: string, userHash: string | null): Promise<void> {
    if (!covers(scopes, 'tags') && !covers(scopes, 'read')) await this.identity.verify(appId, userId, userHash);
  }

  async #ownerOf(appId: string, installationId: string): Promise<string | null> {
    return isUuid(installationId) ? ((await this.owners.find(appId, installationId))?.userId ?? null) : null;
  }
}
