import { Inject, Injectable } from '@nestjs/common';
import {
  type DeliveryResponse,
  type FallbackResponse,
  type Listed,
  type ListDeliveriesRequest,
  type ListFallbacksRequest,
  type ListMessagesRequest,
  makeCursor,
  type MessageResponse,
  type MessageSummaryResponse,
} from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import {
  countDeliveries,
  countFallbacks,
  type Database,
  DATABASE,
  findMessage,
  inSnapshot,
  listDeliveries,
  listFallbacks,
  listMessages,
} from '@postrider/persistence';
import { isUuid } from '../installations/installation-id';
import { showDelivery } from './show-delivery';
import { showFallback } from './show-fallback';
import { showMessage, showSummary } from './show-message';

/** Reads messages and what became of them. */
@Injectable()
export class ReadMessages {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Messages that are no campaigns, newest first. */
  async list(
    appId: string,
    { limit, ...asked }: ListMessagesRequest,
  ): Promise<Listed<'messages', MessageSummaryResponse>> {
    const found = await listMessages(this.database, appId, { ...asked, isCampaign: false }, limit + 1);
    const messages = found.slice(0, limit);
    const last = messages.at(-1);
    return {
      messages: messages.map(showSummary),
      nextCursor: found.length > limit && last ? makeCursor(last.id) : null,
    };
  }

  /**
   * A message with its totals, all of one moment.
   *
   * @param kind `campaign` finds campaigns only
   * @throws DomainError NOT_FOUND
   */
  async find(appId: string, id: string, kind: 'any' | 'campaign' = 'any'): Promise<MessageResponse> {
    if (!isUuid(id)) throw unknownMessage();
    return inSnapshot(this.database, async (executor) => {
      const message = await findMessage(executor, appId, id);
      if (!message || (kind === 'campaign' && !message.isCampaign)) throw unknownMessage();
      const hasFallback = message.content.fallback !== undefined;
      const fallbacks = hasFallback ? await countFallbacks(executor, appId, id) : null;
      return showMessage(message, await countDeliveries(executor, appId, id), fallbacks);
    });
  }

  /** A message's deliveries, one a device. @throws DomainError NOT_FOUND */
  async listDeliveries(
    appId: string,
    id: string,
    { limit, ...asked }: ListDeliveriesRequest,
  ): Promise<Listed<'deliveries', DeliveryResponse>> {
    if (!isUuid(id) || !(await findMessage(this.database, appId, id))) throw unknownMessage();
    const found = await listDeliveries(this.database, appId, id, { ...asked, limit: limit + 1 });
    const deliveries = found.slice(0, limit);
    const last = deliveries.at(-1);
    return {
      deliveries: deliveries.map(showDelivery),
      nextCursor: found.length > limit && last ? makeCursor(last.deviceId) : null,
    };
  }

  /** A message's fallback SMS, one a user. @throws DomainError NOT_FOUND */
  async listFallbacks(
    appId: string,
    id: string,
    { limit, ...asked }: ListFallbacksRequest,
  ): Promise<Listed<'fallbacks', FallbackResponse>> {
    if (!isUuid(id) || !(await findMessage(this.database, appId, id))) throw unknownMessage();
    const found = await listFallbacks(this.database, appId, id, { ...asked, limit: limit + 1 });
    const fallbacks = found.slice(0, limit);
    const last = fallbacks.at(-1);
    return {
      fallbacks: fallbacks.map(showFallback),
      nextCursor: found.length > limit && last ? makeCursor(last.userId) : null,
    };
  }
}

/** The answer for a message that is not known in this application. */
export function unknownMessage(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such message');
}
