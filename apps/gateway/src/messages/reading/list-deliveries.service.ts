import {
  cutList,
  DEFAULT_LANGUAGE,
  type DeliveriesResponse,
  type ListDeliveriesQuery,
  makeCursor,
} from '@postrider/contracts';
import { isUuid, NO_DEVICE } from '@postrider/domain';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Database,
  DATABASE,
  type DeliveryRecord,
  DeliveryReportsRepository,
  type DeliveryStretch,
  type MessageFacts,
  MessagesRepository,
} from '@postrider/persistence';
import { type HeavyCaller, HeavyReads, LOOK_LIMIT_MS } from '../../heavy-reads/heavy-reads.service';
import { isBig, ReadMessages, unknownMessage } from './read-messages.service';
import { showDelivery, variantOf } from './show-message';

/** Lists the deliveries of a message by device. */
@Injectable()
export class ListDeliveries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly messages: MessagesRepository,
    private readonly deliveryReports: DeliveryReportsRepository,
    private readonly readMessages: ReadMessages,
    private readonly heavyReads: HeavyReads,
  ) {}

  /**
   * A message's deliveries, one for each device.
   *
   * @param patienceMs how long a search for a language waits for its turn, if not the usual time of heavy reads
   * @throws DomainError NOT_FOUND; for a language also the errors of `HeavyReads`
   */
  async list(
    caller: HeavyCaller,
    id: string,
    query: ListDeliveriesQuery,
    patienceMs?: number,
  ): Promise<DeliveriesResponse> {
    const { appId } = caller;
    const { limit } = query;
    const message = isUuid(id) ? await this.messages.findFacts(this.database, appId, id) : null;
    if (!message) throw unknownMessage();
    const stretch = stretchOf(query);
    if (await this.#isKnownToBeEmpty(appId, message, stretch)) return { deliveries: [], nextCursor: null };
    const found = await this.#read(caller, message, stretch, patienceMs);
    const { entries, nextCursor } = cutList(found, limit, ({ deviceId }) => makeCursor(deviceId));
    return {
      deliveries: entries.map((delivery) => showDelivery(delivery, variantOf(appId, message, delivery.userId))),
      nextCursor,
    };
  }

  /**
   * Reads a part of the list. In a large message a search for a language is a heavy read: no index holds languages,
   * so a search for a rare one reads every device.
   */
  #read(
    caller: HeavyCaller,
    message: MessageFacts,
    stretch: DeliveryStretch,
    patienceMs?: number,
  ): Promise<DeliveryRecord[]> {
    const { appId } = caller;
    if (stretch.language === undefined || !isBig(message)) {
      return this.deliveryReports.list(this.database, appId, message.id, stretch);
    }
    const limits = { limitMs: LOOK_LIMIT_MS, ...(patienceMs === undefined ? {} : { patienceMs }) };
    return this.heavyReads.run(caller, limits, (executor) =>
      this.deliveryReports.list(executor, appId, message.id, stretch),
    );
  }

  /**
   * Most devices are in these states, which no index holds. Searching for none among a million takes long. A list that
   * goes on is not empty.
   */
  async #isKnownToBeEmpty(
    appId: string,
    message: MessageFacts,
    { state, afterDeviceId }: DeliveryStretch,
  ): Promise<boolean> {
    if (afterDeviceId !== NO_DEVICE) return false;
    if ((state !== 'sent' && state !== 'delivered') || !isBig(message)) return false;
    return (await this.readMessages.find(appId, message.id)).totals[state] === 0;
  }
}

/** Returns what to read: one more than was asked for, to find out if there is a next part. */
function stretchOf({ state, language, cursor, limit }: ListDeliveriesQuery): DeliveryStretch {
  return {
    state: state ?? null,
    language: language === DEFAULT_LANGUAGE ? null : language,
    afterDeviceId: cursor ?? NO_DEVICE,
    limit: limit + 1,
  };
}
