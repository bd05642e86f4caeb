import { Injectable } from '@nestjs/common';
import {
  type ListUserDeliveriesQuery,
  makeCursor,
  type UserDeliveryListResponse,
  type UserDeliveryResponse,
} from '@postrider/contracts';
import { type UserDelivery, UserHistoryRepository } from '@postrider/persistence';

/** Behind every delivery: the highest message and the lowest device. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff 0';

/** Lists what a user was sent. */
@Injectable()
export class ListUserDeliveries {
  constructor(private readonly history: UserHistoryRepository) {}

  /** What became of messages on their devices, newest first; nothing for a user that is not known. */
  async list(
    appId: string,
    userId: string,
    { limit, cursor }: ListUserDeliveriesQuery,
  ): Promise<UserDeliveryListResponse> {
    const [beforeMessageId = '', beforeDeviceId = ''] = (cursor ?? NEWEST).split(' ');
    const found = await this.history.listDeliveries(appId, userId, {
      beforeMessageId,
      beforeDeviceId,
      limit: limit + 1,
    });
    const deliveries = found.slice(0, limit);
    const last = deliveries.at(-1);
    return {
      deliveries: deliveries.map(show),
      nextCursor: found.length > limit && last ? makeCursor(`${last.messageId} ${last.deviceId}`) : null,
    };
  }
}

function show(delivery: UserDelivery): UserDeliveryResponse {
  const { messageId, installationId, isCampaign, state, vendor, errorCode, reason, createdAt, content } = delivery;
  const at = createdAt.toISOString();
  return { messageId, installationId, isCampaign, state, vendor, error: errorCode, reason, createdAt: at, content };
}
