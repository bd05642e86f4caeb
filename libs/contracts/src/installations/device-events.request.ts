import type { JsonObject, JsonValue } from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readNumber } from '../validation/values';
import { LONGEST_HASH } from './device-token.request';

const MOST_EVENTS = 500;
const LONGEST_LINK = 4_096;
const LONGEST_CURRENCY = 16;
const LARGEST_REVENUE = 1e12;
const DEEPEST_DATA = 32;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a device says happened to a notification, and what kind of receipt that is. */
const KIND_OF = {
  DELIVERED: 'delivered',
  SHOWN: 'shown',
  DISMISSED: 'dismissed',
  OPENED: 'opened',
  ACTION_TAKEN: 'action',
} as const;
const ACTIONS = Object.keys(KIND_OF) as (keyof typeof KIND_OF)[];

/** One thing that a device reported about a message. */
export interface ReportedReceipt {
  /** Null when the device named no message, or one whose id cannot be ours. */
  messageId: string | null;
  trackId: string | null;
  kind: (typeof KIND_OF)[keyof typeof KIND_OF] | 'link';
  /** Null: now. */
  at: Date | null;
  actionId: string | null;
  link: string | null;
}

/** Something that a user did, as his app tracks it. */
export interface ReportedBehavior {
  name: string;
  value: string | number | boolean | null;
  at: Date | null;
  /** What it brought in. */
  revenue: { amount: number; currency: string | null } | null;
  /** What tells it from the device's other events: a report with the same is the same. Null when it was sent without a time. */
  identity: JsonValue | null;
}

/** One event of a device. */
export type DeviceEvent =
  | ({ type: 'receipt' } & ReportedReceipt)
  | ({ type: 'behavior' } & ReportedBehavior)
  | ({ type: 'link'; link: string } & ReportedReceipt);

/** What the events say about messages: receipts, and links that were opened. */
export function receiptsOf(events: readonly DeviceEvent[]): ReportedReceipt[] {
  return events.flatMap((event) => (event.type === 'behavior' ? [] : [event]));
}

/** The tracked behaviour among the events. */
export function behaviorsOf(events: readonly DeviceEvent[]): ReportedBehavior[] {
  return events.flatMap((event) => (event.type === 'behavior' ? [event] : []));
}

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
  fields.text('userHash', LONGEST_HASH);
  const createdAt = fields.time('createdAt');
  let place = 0;
  const events = fields.list<DeviceEvent>('eventData', MOST_EVENTS, (value, path) => ({
    value: readEvent(new BodyReader(value, path, fields.problems), { createdAt, place: place++ }),
  }));
  const request = {
    installationId: fields.requiredName('installationId'),
    userId: fields.requiredName('userId'),
    events: events ?? [],
  };
  fields.finish();
  return request;
}

/** What an event has from the request that it is in. */
interface ReportedIn {
  createdAt: Date | null;
  place: number;
}

function readEvent(event: BodyReader, report: ReportedIn): DeviceEvent {
  const { createdAt } = report;
  const type = event.integer('type', 1, 3);
  if (type === 1) return readReceipt(event, createdAt);
  if (type === 2) return readBehavior(event, report);
  if (type === null) event.require('type');
  if (type === 3) event.require('link');
  return readLink(event, createdAt);
}

function readLink(event: BodyReader, createdAt: Date | null): DeviceEvent {
  return {
    type: 'link',
    kind: 'link',
    link: event.text('link', LONGEST_LINK) ?? '',
    messageId: readMessageId(event),
    trackId: event.name('trackId'),
    actionId: null,
    at: event.time('actionTs') ?? createdAt,
  };
}

/** A message can also be named by its tracking id: then it is the latest one of that campaign that the device got. */
function readReceipt(event: BodyReader, createdAt: Date | null): DeviceEvent {
  event.require('actionType');
  const trackId = event.name('trackId');
  if (trackId === null) event.require('msgId');
  const messageId = readMessageId(event);
  return {
    type: 'receipt',
    messageId,
    trackId: event.raw('msgId') === undefined ? trackId : null,
    kind: KIND_OF[event.oneOf('actionType', ACTIONS) ?? 'DELIVERED'],
    actionId: event.name('actionId'),
    link: null,
    at: event.time('actionTs') ?? createdAt,
  };
}

/** An id that is none of ours is no mistake of the device: it may report what another sender sent. It finds nothing. */
function readMessageId(event: BodyReader): string | null {
  const messageId = event.name('msgId');
  return messageId !== null && UUID.test(messageId) ? messageId.toLowerCase() : null;
}

/** The published client puts the event's name inside `data`. */
function readBehavior(event: BodyReader, report: ReportedIn): DeviceEvent {
  const data = event.raw('data') as JsonValue | undefined;
  if (isDeeper(data, DEEPEST_DATA)) event.reject('data', `is nested deeper than ${DEEPEST_DATA} levels`);
  const inside = isObject(data) ? data : {};
  const name = event.name('eventName') ?? new BodyReader(inside).name('eventName');
  if (name === null) event.reject('eventName', 'is required: text of 1 to 255 characters');
  const value = isScalar(data) ? data : isScalar(inside.value) ? inside.value : null;
  const ownTime = event.time('createdAt');
  return {
    type: 'behavior',
    name: name ?? '',
    value,
    at: ownTime ?? report.createdAt,
    revenue: revenueOf(inside),
    identity: identityOf([name, data ?? null], ownTime, report),
  };
}

/** Events that have only the request's time are several although they are alike: their places tell them apart. */
function identityOf(content: JsonValue[], ownTime: Date | null, { createdAt, place }: ReportedIn): JsonValue | null {
  if (ownTime) return [...content, ownTime.toISOString()];
  return createdAt && [...content, createdAt.toISOString(), place];
}

/** `revenue`, or what the published client sends: a `value` that `isRevenue`. A `value` in some currency is revenue too. */
function revenueOf({ revenue, value, isRevenue, currency: sent }: JsonObject): ReportedBehavior['revenue'] {
  const currency = typeof sent === 'string' && sent !== '' && sent.length <= LONGEST_CURRENCY ? sent : null;
  const valueCounts = currency !== null || isRevenue === true || isRevenue === 'true' || isRevenue === 1;
  const reading = readNumber(revenue ?? (valueCounts ? value : null), -LARGEST_REVENUE, LARGEST_REVENUE);
  return 'value' in reading ? { amount: reading.value, currency } : null;
}

function isDeeper(value: JsonValue | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
