import {
  type CampaignVariant,
  type Channel,
  DEFAULT_COUNT_TOLERANCE,
  type ExpectedCount,
  type Fallback,
  isoMoment,
  type JsonObject,
  type LocalizedContent,
  type MessageContent,
  normaliseName,
  type Notification,
  type NotificationAction,
  type Steering,
  UNSTEERED,
} from '@postrider/domain';
import { fieldNames } from '../validation/field';
import type { FallbackRequest, MessageRequest } from './message.request';
import type { LocalizedContentRequest } from './localized.request';
import {
  ActionRequest,
  type LocalizedNotificationRequest,
  NotificationRequest,
  PICTURES,
} from './notification.request';
import {
  type AnySendRequest,
  DEFAULT_LANGUAGE,
  EVERYONE,
  PreviewRequest,
  SendToGroupRequest,
  SendToUserRequest,
} from './send.request';
import type { UnknownFields } from './unknown-fields';
import type { VariantRequest } from './variants.request';

/** The recipients of a send: users, everybody on the channel, or a group by rules that are not parsed yet. */
export type SendRecipients =
  | { kind: 'users'; userIds: string[] }
  | { kind: 'everyone' }
  | { kind: 'rules'; target?: JsonObject; segment?: JsonObject };

/** One message of a request, validated. */
export interface ValidatedSend {
  /** Its place in the request: `` or `[3]`. */
  path: string;
  recipients: SendRecipients;
  channel: Channel;
  content: MessageContent;
  ttlSeconds: number;
  /** When and how fast it is sent. */
  steering: Steering;
  /** The message is refused if it would go to a different number of devices. */
  expected?: ExpectedCount;
  /** Only for previews: the variant to show; default: the first. */
  shownVariant?: string;
  /** Only for previews: the language to show for everybody, a tag in any case; null: the default. */
  shownLanguage?: string | null;
  /** The saved draft that it was made from. */
  draft?: { draftId: string; revision?: number };
}

/** Path of an object in the request, and the collector of unknown fields. */
interface Place {
  path: string;
  unknown: UnknownFields;
}

/**
 * The message of a request. An absent flag is false.
 *
 * @param json the request as it came, for its unknown fields
 */
export function sendOf(request: AnySendRequest, json: JsonObject, place: Place): ValidatedSend {
  return {
    path: place.path,
    recipients: recipientsOf(request),
    channel: request.channel,
    content: contentOf(request, json, place),
    ttlSeconds: request.ttl,
    steering: steeringOf(request),
    ...expectedOf(request),
    ...draftOf(request),
    ...(request instanceof PreviewRequest && request.variant !== undefined ? { shownVariant: request.variant } : {}),
    ...(request instanceof PreviewRequest && request.language !== undefined
      ? { shownLanguage: request.language === DEFAULT_LANGUAGE ? null : request.language }
      : {}),
  };
}

function expectedOf({ expectedCount, expectedCountTolerance }: MessageRequest): Pick<ValidatedSend, 'expected'> {
  if (expectedCount === undefined) return {};
  return { expected: { count: expectedCount, tolerance: expectedCountTolerance ?? DEFAULT_COUNT_TOLERANCE } };
}

function draftOf({ draftId, draftRevision: revision }: MessageRequest): Pick<ValidatedSend, 'draft'> {
  if (draftId === undefined) return {};
  return { draft: { draftId: draftId.toLowerCase(), ...(revision === undefined ? {} : { revision }) } };
}

function recipientsOf(request: AnySendRequest): SendRecipients {
  if (request instanceof SendToGroupRequest) {
    const { target, segment } = request;
    return { kind: 'rules', ...(target ? { target } : {}), ...(segment ? { segment } : {}) };
  }
  if (request instanceof SendToUserRequest && request.user === EVERYONE) return { kind: 'everyone' };
  return { kind: 'users', userIds: userIdsOf(request) };
}

function userIdsOf({ users, user }: Exclude<AnySendRequest, SendToGroupRequest>): string[] {
  if (users !== undefined) return users;
  const name = typeof user === 'string' ? normaliseName(user) : null;
  return name === null ? [] : [name];
}

function contentOf(request: AnySendRequest, json: JsonObject, place: Place): MessageContent {
  const { notification, fallback } = request;
  const known = fieldNames(request);
  return {
    content: textOf(request),
    data: request.data,
    trackId: request.trackId,
    clientId: request.clientId,
    alertText: request.alertText,
    useAsAlert: request.useAsAlert ?? false,
    silent: request.silent ?? false,
    inApp: request.inApp ?? false,
    live: request.live ?? false,
    autoNotify: request.autoNotify ?? false,
    notification:
      notification && notificationOf(notification, json.notification as JsonObject, within(place, 'notification')),
    fallback: fallback && fallbackOf(fallback),
    localized: localizedOf(request, json, within(place, 'localized')),
    ...raisedFlagsOf(request),
    ...testOf(request, json, place),
    ...templateOf(request),
    extra: place.unknown.of(json, (name) => known.has(name), place.path),
  };
}

/** The text for lists and inboxes: the message's, else the first variant's. */
function textOf({ content, variants = [] }: MessageRequest): string | undefined {
  return content ?? variants.find((variant) => variant.content !== undefined)?.content;
}

/** Flags and numbers that are stored only if they are set. */
function raisedFlagsOf(
  request: AnySendRequest,
): Pick<MessageContent, 'trackLinks' | 'isTest' | 'countsTowardsCap' | 'ignoreFrequencyCap' | 'holdout'> {
  const { trackLinks, isTest, countsTowardsCap, ignoreFrequencyCap, holdout } = request;
  return {
    trackLinks: trackLinks || undefined,
    isTest: isTest || undefined,
    countsTowardsCap: countsTowardsCap || undefined,
    ignoreFrequencyCap: ignoreFrequencyCap || undefined,
    holdout: holdout || undefined,
  };
}

/** The test of a campaign's content. */
function testOf(
  { variants, winner }: MessageRequest,
  json: JsonObject,
  place: Place,
): Pick<MessageContent, 'variants' | 'winner'> {
  const sent = json.variants as JsonObject[];
  return {
    variants: variants?.map((one, at) => variantOf(one, sent[at] ?? {}, within(place, `variants[${at}]`))),
    winner: winner && { metric: winner.metric, after: winner.after, share: winner.share },
  };
}

function variantOf(request: VariantRequest, json: JsonObject, place: Place): CampaignVariant {
  const { notification, localized, ...fields } = request;
  return withoutAbsent({
    ...fields,
    notification:
      notification &&
      withoutAbsent(notificationOf(notification, json.notification as JsonObject, within(place, 'notification'))),
    localized: localizedOf({ localized }, json, within(place, 'localized')),
  });
}

function templateOf({ templateId, templateVersion, variables }: MessageRequest): Partial<MessageContent> {
  return { templateId: templateId?.toLowerCase(), templateVersion, variables };
}

/** Absent if no language is named: the message has its default content only. */
function localizedOf(
  { localized }: Pick<MessageRequest, 'localized'>,
  json: JsonObject,
  place: Place,
): MessageContent['localized'] {
  const requests = Object.entries(localized ?? {});
  if (requests.length === 0) return undefined;
  const sent = json.localized as Record<string, JsonObject>;
  return Object.fromEntries(
    requests.map(([tag, request]) => [tag, localizedContentOf(request, sent[tag] ?? {}, within(place, tag))]),
  );
}

function localizedContentOf(request: LocalizedContentRequest, json: JsonObject, place: Place): LocalizedContent {
  const { content, alertText, notification, fallback } = request;
  return withoutAbsent({
    content,
    alertText,
    notification:
      notification &&
      withoutAbsent(notificationOf(notification, json.notification as JsonObject, within(place, 'notification'))),
    fallback: fallback && { content: fallback.content },
  });
}

/** Absent fields must not replace the default's. */
function withoutAbsent<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function notificationOf(
  request: NotificationRequest | LocalizedNotificationRequest,
  json: JsonObject,
  place: Place,
): Notification {
  const known = fieldNames(request);
  return Object.assign({}, request, {
    badge: undefined,
    image: undefined,
    actions: request.actions?.flatMap((action: unknown, index) =>
      action instanceof ActionRequest
        ? [actionOf(action, (json.actions as JsonObject[])[index] as JsonObject, within(place, `actions[${index}]`))]
        : [],
    ),
    extra: place.unknown.of(json, (name) => known.has(name) && !PICTURES.has(name), place.path),
  });
}

function actionOf(request: ActionRequest, json: JsonObject, { path, unknown }: Place): NotificationAction {
  const known = fieldNames(request);
  return Object.assign({}, request, { extra: unknown.of(json, (name) => known.has(name), path) });
}

function fallbackOf({ content, media, delay, policy }: FallbackRequest): Fallback {
  return { content, media, delaySeconds: delay, ...(policy === undefined ? {} : { policy }) };
}

function steeringOf({ rate, sendAt, localTime, ignoreQuietHours }: MessageRequest): Steering {
  if ([rate, sendAt, localTime, ignoreQuietHours].every((field) => field === undefined)) return UNSTEERED;
  return {
    localTime: localTime ?? false,
    ignoreQuietHours: ignoreQuietHours ?? false,
    ...(rate === undefined ? {} : { rate }),
    ...(sendAt === undefined ? {} : { sendAt: momentOf(sendAt, localTime ?? false) }),
  };
}

/** A local time has no fractions of a second. */
function momentOf(sendAt: string, isWallTime: boolean): Date {
  const ms = Number((isoMoment(sendAt) as bigint) / 1_000n);
  return new Date(isWallTime ? Math.floor(ms / 1_000) * 1_000 : ms);
}

function within({ path, unknown }: Place, name: string): Place {
  return { path: path === '' ? name : `${path}.${name}`, unknown };
}
