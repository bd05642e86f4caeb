import type { DeliveryState, JsonValue } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';

const MOST_EVENTS = 500;
const LONGEST_LINK = 4_096;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a device says happened to a notification, and the state that its delivery reaches by it. */
const STATE_OF = {
  DELIVERED: 'delivered',
  SHOWN: 'shown',
  DISMISSED: 'dismissed',
  OPENED: 'opened',
  ACTION_TAKEN: 'opened',
} as const satisfies Record<string, DeliveryState>;
const ACTIONS = Object.keys(STATE_OF) as (keyof typeof STATE_OF)[];

/** A state that a receipt can bring a delivery to. */
export type ReceiptState = (typeof STATE_OF)[keyof typeof STATE_OF];

/** One event of a device. `at` null: now. */
export type DeviceEvent =
  | { type: 'receipt'; messageId: string; state: ReceiptState; at: Date | null }
  | { type: 'behavior'; name: string; value: string | number | boolean | null; at: Date | null }
  | { type: 'link'; link: string; at: Date | null };

/** The body of `POST installations/events`. */
export interface DeviceEventsRequest {
  installationId: string;
  userId: string;
  events: DeviceEvent[];
}

/** @throws InvalidRequest naming every bad field */
export function readDeviceEvents(body: unknown): DeviceEventsRequest {
  const fields = new BodyReader(body);
  fields.require('eventData');
  const createdAt = fields.time('createdAt');
  const events = fields.list<DeviceEvent>('eventData', MOST_EVENTS, (value, path) => ({
    value: readEvent(new BodyReader(value, path, fields.problems), createdAt),
  }));
  const request = {
    installationId: fields.requiredName('installationId'),
    userId: fields.requiredName('userId'),
    events: events ?? [],
  };
  fields.finish();
  return request;
}

function readEvent(event: BodyReader, createdAt: Date | null): DeviceEvent {
  const type = event.integer('type', 1, 3);
  if (type === 1) return readReceipt(event, createdAt);
  if (type === 2) return readBehavior(event, createdAt);
  if (type === null) event.require('type');
  const link = event.text('link', LONGEST_LINK);
  if (type === 3) event.require('link');
  return { type: 'link', link: link ?? '', at: event.time('actionTs') ?? createdAt };
}

/** An id that is none of ours is no mistake of the device: it may report what another sender sent. It finds nothing. */
function readReceipt(event: BodyReader, createdAt: Date | null): DeviceEvent {
  event.require('actionType');
  const messageId = event.requiredName('msgId');
  const action = event.oneOf('actionType', ACTIONS);
  return {
    type: 'receipt',
    messageId: UUID.test(messageId) ? messageId.toLowerCase() : '',
    state: STATE_OF[action ?? 'DELIVERED'],
    at: event.time('actionTs') ?? createdAt,
  };
}

/** The published client puts the event's name inside `data`. */
function readBehavior(event: BodyReader, createdAt: Date | null): DeviceEvent {
  const data = event.raw('data') as JsonValue | undefined;
  const inside = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
  const name = event.name('eventName') ?? new BodyReader(inside).name('eventName');
  if (name === null) event.reject('eventName', 'is required: text of 1 to 255 characters');
  const value = isScalar(data) ? data : isScalar(inside.value) ? inside.value : null;
  return { type: 'behavior', name: name ?? '', value, at: event.time('createdAt') ?? createdAt };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
