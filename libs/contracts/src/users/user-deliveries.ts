import type { DeliveryState, MessageContent } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST = 200;
const DEFAULT = 50;
const PLACE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} \d{1,18}$/;
const NEWEST = { beforeMessageId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', beforeDeviceId: '0' };

/** The query of `GET /api/users/:userId/deliveries`. */
export interface ListUserDeliveriesRequest {
  beforeMessageId: string;
  beforeDeviceId: string;
  limit: number;
}

/** What a message became on one of a user's devices. */
export interface UserDeliveryResponse {
  messageId: string;
  installationId: string;
  isCampaign: boolean;
  state: DeliveryState;
  vendor: string | null;
  error: string | null;
  reason: string | null;
  createdAt: string;
  content: MessageContent;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListUserDeliveries(query: unknown): ListUserDeliveriesRequest {
  const fields = new BodyReader(query ?? {});
  const place = fields.optional('cursor', (value) => readCursor(value, PLACE));
  const limit = fields.integer('limit', 1, MOST) ?? DEFAULT;
  fields.finish();
  if (place === null) return { ...NEWEST, limit };
  const [beforeMessageId = '', beforeDeviceId = ''] = place.split(' ');
  return { beforeMessageId, beforeDeviceId, limit };
}

const NULLABLE_TEXT = { type: ['string', 'null'] };

/** JSON schema of the answer, for the API document. */
export const USER_DELIVERIES_SCHEMA = {
  type: 'object',
  required: ['deliveries', 'nextCursor'],
  properties: {
    deliveries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          messageId: { type: 'string', format: 'uuid' },
          installationId: { type: 'string', format: 'uuid' },
          isCampaign: { type: 'boolean' },
          state: { type: 'string' },
          vendor: NULLABLE_TEXT,
          error: NULLABLE_TEXT,
          reason: NULLABLE_TEXT,
          createdAt: { type: 'string', format: 'date-time' },
          content: { type: 'object', additionalProperties: true, description: 'the message' },
        },
      },
    },
    nextCursor: NULLABLE_TEXT,
  },
};
