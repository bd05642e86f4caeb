import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import type { DeviceTokenRequest, RegistrationRequest } from '@postrider/contracts';
import {
  type Database,
  DATABASE,
  evictTokenHolder,
  type Executor,
  inRetriedTransaction,
  insertInstallation,
  insertOwnInstallation,
  type Installation,
  isCollision,
  lockUser,
  refreshInstallation,
  type RegisteredInstallation,
  type Registration,
  skipWaitingDeliveries,
  updateDeviceToken,
  updateInstallation,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { FormerConnection } from './former-connection.service';
import { unknownInstallation } from './installation-id';
import { toRegistration } from './to-registration';

const CHANGED_HANDS = {
  errorCode: 'user_changed',
  reason: 'The device has belonged to another user since the message was accepted',
};
const TOKEN_MOVED = {
  errorCode: 'installation_removed',
  reason: 'The installation was removed: its token belongs to another one',
};

/**
 * Registers devices. One vendor token is one installation, however often and at whatever moment it is registered; a device
 * that changes hands starts anew, and what waited for its former owner is skipped in the same transaction. All other devices
 * are registered by one statement.
 */
@Injectable()
export class RegisterDevice {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly formerConnection: FormerConnection,
  ) {}

  /** Registers a device that names no installation: a new one, or the one that has its vendor token. */
  async register(appId: string, request: RegistrationRequest): Promise<Installation & { isNew: boolean }> {
    const newInstallationId = newId();
    const installation = await this.#register(appId, newInstallationId, toRegistration(request));
    return { ...installation, isNew: installation.installationId === newInstallationId };
  }

  async #register(appId: string, newInstallationId: string, sent: Registration): Promise<Installation> {
    const own = await unlessCollided(
      insertOwnInstallation(this.database, appId, newInstallationId, sent, this.clock.now()),
    );
    if (own) return own;
    const registered = await inRetriedTransaction(this.database, async (executor) => {
      const at = this.clock.now();
      const owner = await lockUser(executor, appId, sent.userId, at);
      const installation = await insertInstallation(executor, appId, newInstallationId, sent, owner, at);
      await this.#forgetFormerOwner(executor, appId, installation, at);
      return installation;
    });
    if (registered.changedHands) await this.formerConnection.closed(appId, registered.deviceId);
    return registered;
  }

  /** Replaces the state of an installation. @throws DomainError NOT_FOUND: the device should register anew */
  async replace(appId: string, installationId: string, request: RegistrationRequest): Promise<Installation> {
    const sent = toRegistration(request);
    const own = await unlessCollided(refreshInstallation(this.database, appId, installationId, sent, this.clock.now()));
    if (own) return own;
    const registered = await inRetriedTransaction(this.database, async (executor, collisions) => {
      const at = this.clock.now();
      if (collisions > 0) await this.#takeToken(executor, appId, installationId, sent, at);
      const owner = await lockUser(executor, appId, sent.userId, at);
      const installation = await updateInstallation(executor, appId, installationId, sent, owner, at);
      if (!installation) throw unknownInstallation();
      await this.#forgetFormerOwner(executor, appId, installation, at);
      return installation;
    });
    if (registered.changedHands) await this.formerConnection.closed(appId, registered.deviceId);
    return registered;
  }

  /** Gives an installation another vendor token. @throws DomainError NOT_FOUND when the user has no such installation */
  async changeToken(appId: string, request: DeviceTokenRequest): Promise<Installation> {
    return inRetriedTransaction(this.database, async (executor, collisions) => {
      const at = this.clock.now();
      if (collisions > 0) await this.#takeToken(executor, appId, request.installationId, request, at);
      const installation = await updateDeviceToken(executor, appId, request, at);
      if (!installation) throw unknownInstallation();
      return installation;
    });
  }

  /** Another installation has the token: it was this device before. Needed after a collision only. */
  async #takeToken(
    executor: Executor,
    appId: string,
    installationId: string,
    { pushType, token }: Pick<Registration, 'pushType' | 'token'>,
    at: Date,
  ): Promise<void> {
    if (token === null || pushType === null) return;
    const gone = await evictTokenHolder(executor, appId, installationId, pushType, token);
    if (gone.length > 0) await skipWaitingDeliveries(executor, appId, gone, TOKEN_MOVED, at);
  }

  async #forgetFormerOwner(
    executor: Executor,
    appId: string,
    { deviceId, changedHands }: RegisteredInstallation,
    at: Date,
  ): Promise<void> {
    if (changedHands) await skipWaitingDeliveries(executor, appId, [deviceId], CHANGED_HANDS, at);
  }
}

/** What `work` gives, or null when it collided with another transaction and has to be done over. */
async function unlessCollided<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isCollision(error)) return null;
    throw error;
  }
}
