import { Inject, Injectable } from '@nestjs/common';
import { CHANGED_HANDS, type Clock, type DeviceId, type SkipReason } from '@postrider/domain';
import { type DeviceTokenRequest, registrationOf, type RegistrationRequest, vendorTokenOf } from '@postrider/contracts';
import { FormerOwner } from '@postrider/maintenance';
import {
  type Database,
  DATABASE,
  DevicesRepository,
  type Executor,
  inRetriedTransaction,
  type Installation,
  type RegisteredInstallation,
  type Registration,
  RegistrationsRepository,
  type SentRegistration,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { unknownInstallation } from '../show-installation';
import { RegistrationBatches } from './registration-batches.service';
import { isOnePage, isOvertaken } from './registration-order';

const TOKEN_MOVED: SkipReason = {
  errorCode: 'installation_removed',
  reason: 'The installation was removed: its token belongs to another one',
};

/**
 * Registers devices. One vendor token is one installation, however often it is registered, also concurrently. A device
 * that gets another owner starts anew, and deliveries that waited for the former owner are skipped in the same
 * transaction. All other registrations are batched across requests.
 */
@Injectable()
export class RegisterDevice {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly devices: DevicesRepository,
    private readonly registrations: RegistrationsRepository,
    private readonly formerOwner: FormerOwner,
    private readonly batches: RegistrationBatches,
  ) {}

  /**
   * Registers a device that names no installation: a new one, or the one that has its vendor token, or the one that its
   * page made just now.
   *
   * @param pageId the id of the installation that its page makes; null: it is not a page, or it has a token
   */
  async register(
    appId: string,
    request: RegistrationRequest,
    isProved: boolean,
    pageId: string | null,
  ): Promise<Installation & { isNew: boolean }> {
    const sent = { ...registrationOf(request), isProved };
    if (pageId !== null) return this.#registerPage(appId, sent, pageId);
    const installationId = newId();
    const installation = await this.#register(appId, { installationId, isNamed: false, sent });
    return { ...installation, isNew: installation.installationId === installationId };
  }

  /**
   * Replaces the state of an installation, unless somebody has signed in on it since the registration was made.
   *
   * @throws DomainError NOT_FOUND: the device should register anew
   */
  async replace(
    appId: string,
    installationId: string,
    request: RegistrationRequest,
    isProved: boolean,
  ): Promise<Installation> {
    return this.#register(appId, {
      installationId: installationId.toLowerCase(),
      isNamed: true,
      sent: { ...registrationOf(request), isProved },
    });
  }

  async #register(appId: string, registration: SentRegistration): Promise<Installation> {
    const own = await this.batches.register(appId, registration);
    if (own) return own;
    const { installationId, isNamed, sent } = registration;
    let gone: string[] = [];
    const registered = await inRetriedTransaction(this.database, async (executor) => {
      await this.registrations.awaitTurn(executor, appId, { ...sent, installationId });
      const at = this.clock.now();
      const kept = isNamed ? await this.#kept(executor, appId, installationId, sent) : null;
      if (kept !== null && isOvertaken(sent, kept, at)) return { ...kept, changedHands: false };
      gone = isNamed ? await this.#takeToken(executor, appId, installationId, sent, at) : [];
      return this.#registerAlone(executor, appId, registration, at);
    });
    await this.#allGone(appId, gone);
    if (registered.changedHands) await this.formerOwner.changesOwner(appId, registered);
    return registered;
  }

  /** The page's guest and its user are one installation, which belongs to the user whoever comes first. */
  async #registerPage(appId: string, sent: Registration, pageId: string): Promise<Installation & { isNew: boolean }> {
    const registered = await inRetriedTransaction(this.database, async (executor) => {
      await this.registrations.awaitTurn(executor, appId, { ...sent, installationId: pageId });
      const at = this.clock.now();
      const kept = await this.#kept(executor, appId, pageId, sent);
      const isSame = kept !== null && isOnePage(sent, kept, at);
      if (isSame && isOvertaken(sent, kept, at)) return { ...kept, changedHands: false, isNew: false };
      const installationId = kept === null || isSame ? pageId : newId();
      const made = await this.#registerAlone(executor, appId, { installationId, isNamed: isSame, sent }, at);
      return { ...made, isNew: !isSame };
    });
    if (registered.changedHands) await this.formerOwner.changesOwner(appId, registered);
    return registered;
  }

  /** Waits for a batch that changes the installation, because it may sign in a user who came later. */
  #kept(
    executor: Executor,
    appId: string,
    installationId: string,
    { userId }: Registration,
  ): Promise<Installation | null> {
    return this.registrations.findHeld(executor, appId, { installationId, userId });
  }

  async #registerAlone(
    executor: Executor,
    appId: string,
    registration: SentRegistration,
    at: Date,
  ): Promise<RegisteredInstallation> {
    const installation = await this.registrations.registerAlone(executor, appId, registration, at);
    if (!installation) throw unknownInstallation();
    await this.#forgetFormerOwner(executor, appId, installation, at);
    return installation;
  }

  /** Gives an installation another vendor token. @throws DomainError NOT_FOUND if the user has no such installation */
  async changeToken(appId: string, request: DeviceTokenRequest, isProved: boolean): Promise<Installation> {
    const { installationId, userId, deviceType = null } = request;
    const named = { installationId, userId, deviceType, ...vendorTokenOf(request) };
    let gone: string[] = [];
    const changed = await inRetriedTransaction(this.database, async (executor, collisions) => {
      const pushType = named.pushType ?? (await this.registrations.findPushType(executor, appId, installationId));
      const sent = { ...named, pushType };
      await this.registrations.awaitTurn(executor, appId, sent);
      const at = this.clock.now();
      gone = collisions > 0 ? await this.#takeToken(executor, appId, installationId, sent, at) : [];
      const installation = await this.registrations.updateToken(executor, appId, { ...sent, isProved }, at);
      if (!installation) throw unknownInstallation();
      return installation;
    });
    await this.#allGone(appId, gone);
    return changed;
  }

  async #allGone(appId: string, deviceIds: readonly DeviceId[]): Promise<void> {
    for (const deviceId of deviceIds) await this.formerOwner.removed(appId, deviceId);
  }

  /** Removes the installation that had this token: it was the same device. @returns the ids of the removed devices */
  async #takeToken(
    executor: Executor,
    appId: string,
    installationId: string,
    { userId, pushType, token }: Pick<Registration, 'userId' | 'pushType' | 'token'>,
    at: Date,
  ): Promise<string[]> {
    if (token === null || pushType === null) return [];
    const gone = await this.registrations.evictTokenHolder(executor, appId, {
      installationId,
      userId,
      pushType,
      token,
    });
    if (gone.length > 0) await this.devices.skipWaitingDeliveries(executor, appId, gone, { ...TOKEN_MOVED, at });
    return gone;
  }

  async #forgetFormerOwner(
    executor: Executor,
    appId: string,
    { deviceId, changedHands }: RegisteredInstallation,
    at: Date,
  ): Promise<void> {
    if (changedHands) await this.devices.skipWaitingDeliveries(executor, appId, [deviceId], { ...CHANGED_HANDS, at });
  }
}
