import type {
  CampaignVariant,
  ErrorDetail,
  JsonObject,
  JsonValue,
  MessageContent,
  Notification,
} from '@postrider/domain';
import { MAX_RATE, MAX_TTL_SECONDS, USUAL_CHANNEL } from '@postrider/domain';
import { IsVariables } from './variables';
import { Example, Optional, SaysOfClass } from '../validation/field';
import { IsAnyText, IsFilledText, IsFlag, IsJson, IsWholeNumber } from '../validation/fields';
import { IsNested } from '../validation/nested';
import { FallbackRequest, IsMoment } from './message.request';
import { IsLocalized, type LocalizedRequests } from './localized.request';
import { NotificationRequest } from './notification.request';
import { readSend, type SendReading } from './read-send';
import { IsVariants, type VariantRequest, WinnerRequest } from './variants.request';

/**
 * The fields of a message that can be changed before it leaves, for the API document. The changed message is read like
 * a send (`readChangedSend`), so the same rules apply.
 */
@Example({ sendAt: '2026-12-01T09:00:00+01:00', content: 'We open an hour later' })
@SaysOfClass({
  additionalProperties: true,
  description:
    'the fields to change; null removes a field; `notification`, `fallback`, `localized`, `variants` and `winner` are replaced as a whole',
})
export class MessageChangesRequest {
  @Optional() @IsMoment() sendAt?: string;
  @Optional() @IsFilledText() content?: string;
  @Optional() @IsJson() data?: JsonValue;
  @Optional() @IsAnyText() alertText?: string;
  @Optional() @IsFlag() useAsAlert?: boolean;
  @Optional() @IsFlag() autoNotify?: boolean;
  @Optional() @IsFlag() silent?: boolean;
  @Optional() @IsNested(() => NotificationRequest) notification?: NotificationRequest;
  @Optional() @IsNested(() => FallbackRequest) fallback?: FallbackRequest;
  @Optional() @IsLocalized() localized?: LocalizedRequests;
  @Optional() @IsVariants() variants?: VariantRequest[];
  @Optional() @IsNested(() => WinnerRequest) winner?: WinnerRequest;
  @Optional() @IsWholeNumber(0, MAX_TTL_SECONDS, { description: 'seconds' }) ttl?: number;
  @Optional() @IsWholeNumber(1, MAX_RATE, { description: 'devices per second' }) rate?: number;
  @Optional() @IsFlag() ignoreQuietHours?: boolean;
  @Optional() @IsVariables() variables?: JsonObject;
  @Optional() @IsFlag() trackLinks?: boolean;
  @Optional() @IsFlag() isTest?: boolean;
  @Optional() @IsFlag() countsTowardsCap?: boolean;
  @Optional() @IsFlag() ignoreFrequencyCap?: boolean;
}

/** The query of `PATCH /api/push/messages/:id` and of campaigns. */
export class MessageChangesQuery {
  @Optional()
  @IsWholeNumber(0, 2 ** 31 - 1, {
    description: 'change the message only while it has this revision; if it has another one by now, the answer is 409',
  })
  revision?: number;
}

/**
 * Fields that do not change, because the message was counted and accepted with them: its recipients, how it reaches
 * them, and its ids.
 */
const FIXED = [
  'user',
  'users',
  'target',
  'segment',
  'channel',
  'trackId',
  'clientId',
  'inApp',
  'live',
  'localTime',
  'holdout',
  'expectedCount',
  'expectedCountTolerance',
  'draftId',
  'templateId',
  'templateVersion',
  'draftRevision',
];

/** The parts of a scheduled message that reading a change needs. */
export interface ScheduledMessage {
  kind: 'users' | 'query' | 'notify';
  content: MessageContent;
  /** True if it names its users, everybody on the channel, or a group. */
  recipients: 'users' | 'everyone' | 'rules';
  channel: string;
  ttlSeconds: number;
  rate: number | null;
  /** ISO 8601; without an offset if `isLocalTime`. */
  sendAt: string;
  isLocalTime: boolean;
  ignoreQuietHours: boolean;
}

/**
 * Reads a changed message as the send that would have asked for it, so that every rule of a send applies. Placeholders
 * replace its recipients. Never throws.
 */
export function readChangedSend(message: ScheduledMessage, changes: JsonObject): SendReading {
  const channel = message.channel === USUAL_CHANNEL ? undefined : message.channel;
  const held: Record<string, unknown> = { ...message.content, channel, localTime: message.isLocalTime };
  const fixed = FIXED.filter((name) => isChanged(changes[name], held[name])).map((path) => ({
    path,
    message: 'cannot be changed: cancel the message and send another one',
  }));
  const missing: ErrorDetail[] = changes.sendAt === null ? [{ path: 'sendAt', message: 'cannot be removed' }] : [];
  const free = Object.fromEntries(Object.entries(changes).filter(([name]) => !FIXED.includes(name)));
  const merged = { ...requestOf(message), ...free };
  const forms = message.kind === 'notify' ? 'either' : message.kind === 'query' ? 'rules' : 'named';
  const reading = readSend(merged, forms, 1);
  return { ...reading, problems: [...fixed, ...missing, ...reading.problems] };
}

/** Null asks to remove what the message has. */
function isChanged(value: unknown, held: unknown): boolean {
  return value === null ? (held ?? false) !== false : value !== undefined;
}

const RECIPIENTS: Record<ScheduledMessage['recipients'], JsonObject> = {
  users: { user: 'somebody' },
  everyone: { user: '*' },
  rules: { target: { deviceType: 'any' } },
};

/** The request that would make the stored message. */
function requestOf(message: ScheduledMessage): JsonObject {
  const { content, recipients, channel, ttlSeconds, rate, sendAt, isLocalTime, ignoreQuietHours } = message;
  const { notification, fallback, localized, variants, winner, extra, ...fields } = content;
  delete fields.linkBase;
  return {
    ...extra,
    ...(fields as JsonObject),
    ...(notification === undefined ? {} : { notification: notificationRequestOf(notification) }),
    ...(fallback === undefined ? {} : { fallback: fallbackRequestOf(fallback) }),
    ...(localized === undefined ? {} : { localized: localizedRequestOf(localized) }),
    ...(variants === undefined ? {} : { variants: variants.map(variantRequestOf) }),
    ...(winner === undefined ? {} : { winner: { ...winner } }),
    ...RECIPIENTS[recipients],
    channel,
    ttl: ttlSeconds,
    sendAt,
    localTime: isLocalTime,
    ignoreQuietHours,
    ...(rate === null ? {} : { rate }),
  };
}

function notificationRequestOf({ extra, actions, ...fields }: Notification): JsonObject {
  const buttons = actions?.map(({ extra: further, ...action }) => ({ ...further, ...action }));
  return { ...extra, ...fields, ...(buttons === undefined ? {} : { actions: buttons }) };
}

function localizedRequestOf(localized: NonNullable<MessageContent['localized']>): JsonObject {
  const requests = Object.entries(localized).map(([tag, { notification, ...own }]): [string, JsonObject] => [
    tag,
    { ...own, ...(notification === undefined ? {} : { notification: notificationRequestOf(notification) }) },
  ]);
  return Object.fromEntries(requests);
}

function variantRequestOf({ notification, localized, ...fields }: CampaignVariant): JsonObject {
  return {
    ...fields,
    ...(notification === undefined ? {} : { notification: notificationRequestOf(notification) }),
    ...(localized === undefined ? {} : { localized: localizedRequestOf(localized) }),
  };
}

function fallbackRequestOf({ delaySeconds, ...fields }: NonNullable<MessageContent['fallback']>): JsonObject {
  return { ...fields, delay: delaySeconds };
}
