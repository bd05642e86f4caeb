import { Injectable } from '@nestjs/common';
import { covers, DomainError, isUuid, type Scope } from '@postrider/domain';
import type { Caller } from '../auth/caller';
import { OwnerLookups } from '../devices/registration/owner-lookups.service';
import { UserIdentity } from '../devices/registration/user-identity.service';

/** What a request contains about the device that makes it. */
interface DeviceClaim {
  userId: string;
  installationId: string | null;
  userHash: string | null;
}

/** Limits the key inside an app to the device's own user. */
@Injectable()
export class DeviceOwner {
  constructor(
    private readonly owners: OwnerLookups,
    private readonly identity: UserIdentity,
  ) {}

  /**
   * Accepts a backend's token. For a `devices` token the application decides whose tags may be edited (`clientTags`):
   * those of the device's own user, who is identified by an installation or by the hash; any user's; or nobody's. If
   * the application requires user hashes, only the hash identifies the user. The same rules apply to tracked events.
   *
   * @param backendScope the scope that a backend's token has for this
   * @throws DomainError FORBIDDEN for the tags of others, UNAUTHORIZED for a user that is not proved
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

  /**
   * Checks that a device may read about a user, who must be proved if the application requires that.
   *
   * @throws DomainError UNAUTHORIZED
   */
  async checkReader({ appId, scopes }: Caller, userId: string, userHash: string | null): Promise<void> {
    if (!covers(scopes, 'tags') && !covers(scopes, 'read')) await this.identity.verify(appId, userId, userHash);
  }

  async #ownerOf(appId: string, installationId: string): Promise<string | null> {
    return isUuid(installationId) ? ((await this.owners.find(appId, installationId))?.userId ?? null) : null;
  }
}
