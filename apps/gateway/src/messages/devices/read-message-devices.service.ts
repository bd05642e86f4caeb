import { Inject, Injectable } from '@nestjs/common';
import type { MessageDeviceResponse } from '@postrider/contracts';
import { NO_DEVICE, DomainError, isUuid } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DeliveryReportsRepository,
  DevicesRepository,
  FallbacksRepository,
  type Installation,
  type MessageRecord,
  MessagesRepository,
} from '@postrider/persistence';
import { unknownMessage } from '../reading/read-messages.service';
import { showDelivery, showFallback, variantOf } from '../reading/show-message';
import { showDevice } from '../../devices/show-installation';
import { whyNot } from './why-not';

/** The most devices of one user that are read. */
const MOST_DEVICES = 50;

/**
 * Reads the delivery of a message to one device, or to all devices of a user, and the reasons why it did not reach
 * some.
 */
@Injectable()
export class ReadMessageDevices {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly deliveryReports: DeliveryReportsRepository,
    private readonly fallbacks: FallbacksRepository,
    private readonly messages: MessagesRepository,
    private readonly devices: DevicesRepository,
  ) {}

  /**
   * Reads the devices of a user, including those that the message did not reach, and those that it reached while they
   * belonged to this user.
   *
   * @throws DomainError NOT_FOUND
   */
  async ofUser(appId: string, messageId: string, userId: string): Promise<MessageDeviceResponse[]> {
    const message = await this.#find(appId, messageId);
    const page = { afterDeviceId: NO_DEVICE, limit: MOST_DEVICES };
    const [own, former] = await Promise.all([
      this.devices.listOfUser(appId, userId, page),
      this.devices.listFormerOfUser(appId, userId, MOST_DEVICES),
    ]);
    const told = await this.#tell(appId, message, [...own, ...former], userId);
    return told.filter(({ delivery }, place) => place < own.length || delivery !== null);
  }

  /**
   * Reads one device.
   *
   * @throws DomainError NOT_FOUND if the message or the installation is unknown
   */
  async ofInstallation(appId: string, messageId: string, installationId: string): Promise<MessageDeviceResponse> {
    const message = await this.#find(appId, messageId);
    const found = isUuid(installationId) ? await this.devices.find(this.database, appId, [installationId]) : [];
    const [told] = await this.#tell(appId, message, found);
    if (!told) throw new DomainError('NOT_FOUND', 'There is no such installation: it may have been removed');
    return told;
  }

  async #find(appId: string, messageId: string): Promise<MessageRecord> {
    const message = isUuid(messageId) ? await this.messages.find(this.database, appId, messageId) : null;
    if (!message) throw unknownMessage();
    return message;
  }

  async #tell(
    appId: string,
    message: MessageRecord,
    installations: readonly Installation[],
    askedUser: string | null = null,
  ): Promise<MessageDeviceResponse[]> {
    if (installations.length === 0) return [];
    const deviceIds = installations.map(({ deviceId }) => deviceId);
    const userId = askedUser ?? installations[0]?.userId ?? '';
    const [deliveries, owners, fallback] = await Promise.all([
      this.deliveryReports.findOfDevices(appId, message.id, deviceIds),
      this.deliveryReports.readOwnersSince(appId, deviceIds),
      message.content.fallback ? this.fallbacks.find({ appId, messageId: message.id }, userId) : null,
    ]);
    const theirs = deliveries.filter((delivery) => askedUser === null || delivery.userId === askedUser);
    const byDevice = new Map(theirs.map((delivery) => [delivery.deviceId, delivery]));
    return installations.map((installation) => {
      const delivery = byDevice.get(installation.deviceId);
      const ownedSince = owners.get(installation.deviceId) ?? installation.createdAt;
      return {
        installation: showDevice(appId, { ...installation, userId: delivery?.userId ?? installation.userId }),
        delivery: delivery ? showDelivery(delivery, variantOf(appId, message, delivery.userId)) : null,
        reason: delivery ? null : whyNot(message, { installation, ownedSince }),
        fallback: fallback && showFallback(fallback),
      };
    });
  }
}
