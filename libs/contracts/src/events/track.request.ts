import { isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';
import { ATTRIBUTE_VALUE, isScalar, MOST_ATTRIBUTES, readAttributeValue } from '../devices/attribute-value';
import { IsUserHash, IsUserId } from '../validation/user-identity';
import { fieldOf, Optional, Rule, SaysOfClass } from '../validation/field';
import { IsName, IsNumberFrom, IsText, IsTime } from '../validation/fields';
import type { ListReading } from '../validation/reading';

/** The most events in `trackBulk`. */
export const MOST_TRACKED = 1_000;

const LONGEST_CURRENCY = 16;
const LARGEST_REVENUE = 1e12;
/** The event of `trackRevenue`. */
const PURCHASE = 'Purchase';
const DEVICE = '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d';
const ONE_OF = { oneOf: [{ required: ['userId'] }, { required: ['installationId'] }] };

/** Something that a user did, reported by a backend. */
abstract class TrackedRequest {
  @Optional()
  @IsUserId()
  @Rule<TrackedRequest>((_, isSent) =>
    isSent('userId') === isSent('installationId') ? 'is required, or installationId, but not both' : null,
  )
  userId?: string;

  @Optional() @IsName() installationId?: string;
  @Optional() @IsTime('now when it is left out; at most a day ahead') eventTime?: Date;
  @Optional() @IsEventData() eventData?: JsonObject;
  @Optional() @IsUserHash() userHash?: string;
}

/** The body of `POST installations/track`, and an element of `trackBulk`. */
@SaysOfClass({
  ...ONE_OF,
  examples: [
    { userId: 'ada', eventName: 'signup', eventData: { plan: 'gold', value: 3 } },
    { installationId: DEVICE, eventName: 'level', eventTime: '2026-11-22T09:00:00Z' },
  ],
})
export class TrackRequest extends TrackedRequest {
  @IsName() eventName!: string;
}

/** The body of `POST installations/trackPurchase`. */
@SaysOfClass({ ...ONE_OF, examples: [{ userId: 'ada', eventName: 'order', revenue: 12.5, currency: 'EUR' }] })
export class TrackPurchaseRequest extends TrackRequest {
  @IsNumberFrom(-LARGEST_REVENUE, LARGEST_REVENUE) revenue!: number;
  @Optional() @IsText(LONGEST_CURRENCY) currency?: string;
}

/** The body of `POST installations/trackRevenue`. */
@SaysOfClass({ ...ONE_OF, examples: [{ userId: 'ada', revenue: 12.5, currency: 'EUR' }] })
export class TrackRevenueRequest extends TrackedRequest {
  @Optional() @IsPurchase() eventName?: typeof PURCHASE;
  @IsNumberFrom(-LARGEST_REVENUE, LARGEST_REVENUE) revenue!: number;
  @Optional() @IsText(LONGEST_CURRENCY) currency?: string;
}

/** An event to be tracked. */
export interface TrackingRequest {
  userId: string | null;
  installationId: string | null;
  userHash: string | null;
  name: string;
  value: string | number | boolean | null;
  /** Null: now. */
  at: Date | null;
  revenue: { amount: number; currency: string | null } | null;
}

/** The event of a request. */
export function trackingOf(request: TrackRequest | TrackPurchaseRequest | TrackRevenueRequest): TrackingRequest {
  const value = request.eventData?.value;
  return {
    userId: request.userId ?? null,
    installationId: request.installationId ?? null,
    userHash: request.userHash ?? null,
    name: request.eventName ?? PURCHASE,
    value: isScalar(value) ? value : null,
    at: request.eventTime ?? null,
    revenue: 'revenue' in request ? { amount: request.revenue, currency: request.currency ?? null } : null,
  };
}

/** The data of an event beside its name: values like those of attributes. */
function IsEventData(): PropertyDecorator {
  return fieldOf<JsonObject>({
    name: 'isEventData',
    read: readEventData,
    schema: {
      type: 'object',
      description: '`value` becomes `<eventName>.lastValue`, and a number is added to `<eventName>.sum`',
      maxProperties: MOST_ATTRIBUTES,
      additionalProperties: { anyOf: [...ATTRIBUTE_VALUE.anyOf, { type: 'null' }] } as object,
    },
  });
}

function readEventData(value: unknown): ListReading<JsonObject> {
  if (!isJsonObject(value)) return { problem: 'must be an object' };
  const members = Object.entries(value);
  if (members.length > MOST_ATTRIBUTES) return { problem: `must have at most ${MOST_ATTRIBUTES} members` };
  const problems: { path: string; message: string }[] = [];
  const read = members.map(([name, member]): [string, JsonValue] => {
    const reading = readAttributeValue(member);
    if ('value' in reading) return [name, reading.value];
    const message = 'must be a number, text, a boolean or an array of these';
    problems.push({ path: `.${name}`, message });
    return [name, null];
  });
  return problems.length > 0 ? { problems } : { value: Object.fromEntries(read) };
}

function IsPurchase(): PropertyDecorator {
  return fieldOf<typeof PURCHASE>({
    name: 'isPurchase',
    read: (value) => (value === PURCHASE ? { value } : { problem: `must be ${PURCHASE}, or left out` }),
    schema: { type: 'string', enum: [PURCHASE] },
  });
}
