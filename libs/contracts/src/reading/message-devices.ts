import { InvalidRequest } from '@postrider/domain';
import type { InstallationResponse } from '../devices/installation.response';
import type { DeliveryResponse, FallbackResponse } from './message.response';

/** What a message came to on one device. */
export interface MessageDeviceResponse {
  /** The device as it is now, its token shortened. */
  installation: InstallationResponse;
  /** Null: the message did not come to this device. */
  delivery: DeliveryResponse | null;
  /** In words: why it did not. */
  reason: string | null;
  /** The SMS to the device's user in the message's place; null: none was asked for. */
  fallback: FallbackResponse | null;
}

/** Reads the query of `GET messages/:id/devices`. @throws InvalidRequest */
export function readMessageDevices(query: unknown): { userId: string } {
  const userId = (query as { userId?: unknown } | null)?.userId;
  if (typeof userId !== 'string' || userId === '') {
    throw new InvalidRequest([{ path: 'userId', message: 'must name a user' }]);
  }
  return { userId: userId.normalize('NFC') };
}

/** For the API document. */
export const MESSAGE_DEVICE_SCHEMA = {
  type: 'object',
  required: ['installation', 'delivery', 'reason', 'fallback'],
  properties: {
    installation: { type: 'object', additionalProperties: true },
    delivery: { type: ['object', 'null'], description: 'as in the list of deliveries', additionalProperties: true },
    reason: { type: ['string', 'null'], description: 'why the message did not come to this device' },
    fallback: { type: ['object', 'null'], description: 'as in the list of fallbacks', additionalProperties: true },
  },
};

export const MESSAGE_DEVICES_SCHEMA = {
  type: 'object',
  required: ['devices'],
  properties: { devices: { type: 'array', items: MESSAGE_DEVICE_SCHEMA } },
};
