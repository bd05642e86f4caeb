import { Injectable } from '@nestjs/common';
import type { TrackingRequest } from '@postrider/contracts';
import { covers } from '@postrider/domain';
import { attributesOfEvent, type OwnerOfInstallation } from '@postrider/persistence';
import type { Caller } from '../auth/caller';
import { UserIdentity } from '../devices/registration/user-identity.service';
import type { IdempotencyKey } from '../messages/sending/idempotency';
import { DeviceOwner } from '../tags/device-owner.service';

/** Who tracks, and the proof that they may. */
export interface TrackingClaim {
  caller: Caller;
  userHash: string | null;
  idempotencyKey: IdempotencyKey | undefined;
}

/** An event, and the installation that it names. */
export interface Located {
  request: TrackingRequest;
  owner: OwnerOfInstallation | null;
}

/** Decides who may track what. */
@Injectable()
export class TrackingRight {
  constructor(
    private readonly deviceOwner: DeviceOwner,
    private readonly identity: UserIdentity,
  ) {}

  /**
   * A device's token tracks for its own user, under the same conditions as it edits tags, and no event that would
   * change a protected attribute.
   *
   * @throws DomainError FORBIDDEN, UNAUTHORIZED
   */
  async check({ caller, ...claim }: TrackingClaim, { request, owner }: Located): Promise<void> {
    if (covers(caller.scopes, 'send')) return;
    const userHash = claim.userHash ?? request.userHash;
    const userId = request.userId ?? owner?.userId;
    // Nothing is recorded for an unknown installation.
    if (userId === undefined) return;
    await this.deviceOwner.checkEditor(caller, { userId, installationId: request.installationId, userHash }, 'send');
    if (await this.identity.isShown(caller.appId, userId, userHash)) return;
    await this.identity.checkUnprotected(caller.appId, attributesOfEvent(request));
  }
}
