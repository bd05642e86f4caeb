import { isJsonObject, isUuid, type JsonObject, type JsonValue } from '@postrider/domain';
import type { ClassConstructor } from 'class-transformer';
import { fieldOf, Optional, Rule, SaysOfClass } from '../validation/field';
import { IsJson, IsName, IsOneOf, IsTime } from '../validation/fields';
import { IsListOfForms } from '../validation/nested';
import type { Reading } from '../validation/reading';
import { LONGEST_LINK, readInteger, readName, readNumber, readTextUpTo } from '../validation/values';
import { isScalar } from './attribute-value';
import { IsUserHash } from '../validation/user-identity';

const MOST_EVENTS = 500;
const LONGEST_CURRENCY = 16;
const LARGEST_REVENUE = 1e12;
const DEEPEST_DATA = 32;
/** The event types about a notification in a device's report, and their kinds of receipt. */
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
  /** Null if the device named no message, or one whose id cannot be ours. */
  messageId: string | null;
  trackId: string | null;
  kind: (typeof KIND_OF)[keyof typeof KIND_OF] | 'link';
  /** Null: now. */
  at: Date | null;
  actionId: string | null;
  link: string | null;
}

/** Something that a user did, tracked by their app. */
export interface ReportedBehavior {
  name: string;
  value: string | number | boolean | null;
  at: Date | null;
  /** The revenue. */
  revenue: { amount: number; currency: string | null } | null;
  /**
   * What distinguishes it from the device's other events: reports with the same identity are the same event. Null if it
   * was sent without a time.
   */
  identity: JsonValue | null;
}

/** One event of a device. */
export type DeviceEvent =
  | ({ type: 'receipt' } & ReportedReceipt)
  | ({ type: 'behavior' } & ReportedBehavior)
  | ({ type: 'link'; link: string } & ReportedReceipt);

/** The reports about messages: receipts, and links that were opened. */
export function receiptsOf(events: readonly DeviceEvent[]): ReportedReceipt[] {
  return events.flatMap((event) => (event.type === 'behavior' ? [] : [event]));
}

/** The tracked behaviour among the events. */
export function behaviorsOf(events: readonly DeviceEvent[]): ReportedBehavior[] {
  return events.flatMap((event) => (event.type === 'behavior' ? [event] : []));
}

/** One event on the device, with the tag that says its kind. */
abstract class EventOfMessage {
  /**
   * An id that is not ours is not an error of the device: it may report about another sender's message. It finds
   * nothing.
   */
  @Optional()
  @IsName('the id of the message; or send `trackId` alone for the latest message of that campaign')
  @Rule<ReceiptEventRequest>(({ type, msgId, trackId }) =>
    type === 1 && msgId === undefined && trackId === undefined ? 'is required' : null,
  )
  msgId?: string;

  @Optional() @IsName() trackId?: string;
  @Optional() @IsTime('when it happened; the default is the `createdAt` of the request') actionTs?: Date;
}

/** What happened to a notification. */
@SaysOfClass({
  description: 'type 1: a receipt',
  anyOf: [{ required: ['msgId'] }, { required: ['trackId'] }],
})
export class ReceiptEventRequest extends EventOfMessage {
  @IsEventType(1) type!: number;
  @IsOneOf(ACTIONS) actionType!: (typeof ACTIONS)[number];
  @Optional() @IsName('the action, for ACTION_TAKEN') actionId?: string;
}

/** A link that the user opened. */
@SaysOfClass({ description: 'type 3: an opened link' })
export class LinkEventRequest extends EventOfMessage {
  @IsEventType(3) type!: number;

  /** An empty text is not a link, but not an error either. */
  @IsLinkText() link!: string;
}

/** Something that the user did, tracked by the app. The published web client puts the event's name into `data`. */
@SaysOfClass({
  description: 'type 2: a tracked behaviour',
  anyOf: [
    { required: ['eventName'] },
    { required: ['data'], properties: { data: { type: 'object', required: ['eventName'] } } },
  ],
})
export class BehaviorEventRequest {
  @IsEventType(2) type!: number;

  @Optional()
  @IsName()
  @Rule<BehaviorEventRequest>((event) => (nameOf(event) === null ? 'is required: text of 1 to 255 characters' : null))
  eventName?: string;

  @Optional()
  @IsJson('with `revenue`, or `isRevenue` and `value`, and `currency`: a conversion')
  @Rule<BehaviorEventRequest>(({ data }) =>
    isDeeper(data, DEEPEST_DATA) ? `is nested deeper than ${DEEPEST_DATA} levels` : null,
  )
  data?: JsonValue;

  @Optional() @IsTime('when it happened; the default is the `createdAt` of the request') createdAt?: Date;
}

/** An event of an unknown type: its type is refused, together with its other problems. */
class UnknownEventRequest extends EventOfMessage {
  @IsEventType(1, 2, 3) type!: number;
}

type AnyEventRequest = ReceiptEventRequest | BehaviorEventRequest | LinkEventRequest;

/** The body of `POST installations/events`. */
@SaysOfClass({
  examples: [
    {
      installationId: '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d',
      userId: 'ada',
      eventData: [
        {
          type: 1,
          actionType: 'OPENED',
          msgId: '01932c5e-8000-7c3e-8a3b-0f6d2a1b4c5d',
          actionTs: '2026-11-22T09:00:00Z',
        },
        { type: 2, eventName: 'order', data: { revenue: 12.5, currency: 'EUR' } },
      ],
    },
  ],
})
export class DeviceEventsRequest {
  @IsName() installationId!: string;
  @IsName() userId!: string;
  @Optional() @IsUserHash() userHash?: string;
  @Optional() @IsTime('when it was reported') createdAt?: Date;

  @IsListOfForms([ReceiptEventRequest, BehaviorEventRequest, LinkEventRequest], classOf, { max: MOST_EVENTS })
  eventData!: AnyEventRequest[];
}

function classOf({ type }: JsonObject): ClassConstructor<object> {
  const read = readInteger(type, 1, 3);
  if (!('value' in read)) return UnknownEventRequest;
  return [ReceiptEventRequest, BehaviorEventRequest, LinkEventRequest][read.value - 1] ?? UnknownEventRequest;
}

/** The events of a request, in order. */
export function deviceEventsOf({ eventData, createdAt = null }: RequestRead): DeviceEvent[] {
  return eventData.map((event, place): DeviceEvent => {
    if (event instanceof BehaviorEventRequest) return behaviorOf(event, { createdAt, place });
    const { trackId = null, actionTs = null } = event;
    const report = { messageId: messageIdOf(event), at: actionTs ?? createdAt };
    if (event instanceof LinkEventRequest) {
      return { type: 'link', kind: 'link', link: event.link, trackId, actionId: null, ...report };
    }
    return {
      type: 'receipt',
      kind: KIND_OF[event.actionType],
      // A message can also be named by its tracking id: this means the latest message of that campaign that the device
      // got.
      trackId: event.msgId === undefined ? trackId : null,
      actionId: event.actionId ?? null,
      link: null,
      ...report,
    };
  });
}

type RequestRead = Pick<DeviceEventsRequest, 'eventData'> & { createdAt?: Date | null };

/** What an event inherits from its request. */
interface ReportedIn {
  createdAt: Date | null;
  place: number;
}

function messageIdOf({ msgId }: EventOfMessage): string | null {
  return msgId !== undefined && isUuid(msgId) ? msgId.toLowerCase() : null;
}

function behaviorOf(event: BehaviorEventRequest, report: ReportedIn): DeviceEvent {
  const { data, createdAt: ownTime = null } = event;
  const inside = isJsonObject(data) ? data : {};
  const name = nameOf(event);
  return {
    type: 'behavior',
    name: name ?? '',
    value: isScalar(data) ? data : isScalar(inside.value) ? inside.value : null,
    at: ownTime ?? report.createdAt,
    revenue: revenueOf(inside),
    identity: identityOf([name, data ?? null], ownTime, report),
  };
}

function nameOf({ eventName, data }: Partial<BehaviorEventRequest>): string | null {
  const inside = isJsonObject(data) ? readName(data.eventName) : { problem: '' };
  return eventName ?? ('value' in inside ? inside.value : null);
}

/**
 * Events that have only the time of the request are different events although they are equal: their places distinguish
 * them.
 */
function identityOf(content: JsonValue[], ownTime: Date | null, { createdAt, place }: ReportedIn): JsonValue | null {
  if (ownTime) return [...content, ownTime.toISOString()];
  return createdAt && [...content, createdAt.toISOString(), place];
}

/**
 * `revenue`, or the published web client's form: a `value` with `isRevenue`. A `value` with a currency is revenue too.
 */
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

/** What kind of event it is. */
function IsEventType(...types: number[]): PropertyDecorator {
  return fieldOf({
    name: 'isEventType',
    read: (value) => readInteger(value, 1, 3),
    schema: { type: 'integer', enum: types },
  });
}

function IsLinkText(): PropertyDecorator {
  return fieldOf({
    name: 'isLinkText',
    read: (value): Reading<string> => {
      const text = readTextUpTo(value, LONGEST_LINK);
      return 'value' in text ? { value: text.value ?? '' } : text;
    },
    schema: { type: 'string', maxLength: LONGEST_LINK },
  });
}
