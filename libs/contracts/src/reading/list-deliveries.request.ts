import { DELIVERY_STATES, type DeliveryState } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readCursor } from './cursor';

const MOST = 1_000;
const DEFAULT = 100;
const PLACE = /^\d{1,18}$/;

/** The query of `GET /api/push/messages/:id/deliveries`. */
export interface ListDeliveriesRequest {
  state: DeliveryState | null;
  afterDeviceId: string;
  limit: number;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListDeliveries(query: unknown): ListDeliveriesRequest {
  const fields = new BodyReader(query ?? {});
  const request = {
    state: fields.oneOf('state', DELIVERY_STATES),
    afterDeviceId: fields.optional('cursor', (value) => readCursor(value, PLACE)) ?? '0',
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}
