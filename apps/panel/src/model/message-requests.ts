import type {
  SendToGroupRequest,
  SendToUserRequest,
  SendToUsersRequest,
  FallbackRequest,
  NotificationResponse,
} from '@postrider/server/document';
import {
  type MessageDraft,
  readTypedUsers,
  holdsOut,
  isCampaign,
  namesUsers,
  scheduleKindOf,
  takesRate,
  TTL_SECONDS,
} from './message-draft';
import { actionOf, type MessageBody, readFurtherFields, withoutEmpty } from './message-body';
import { localizedOf } from './message-languages';
import { asVariant, variantsOf, winnerOf } from './message-variants';
import { writeSegment } from './write-segment';

type Recipients = { users: string[] } | { user: string } | { segment: NonNullable<SendToGroupRequest['segment']> };

/** One request that sends a draft, or a part of it. */
export type SendCall = (
  | { path: '/api/push/toUsers'; body: SendToUsersRequest | SendToUserRequest }
  | { path: '/api/push/byQuery'; body: SendToGroupRequest }
  | { path: '/api/push/notifyUsers'; body: SendToUsersRequest | SendToUserRequest | SendToGroupRequest }
) & {
  /** The same for the same draft: pressing twice sends once. */
  idempotencyKey: string;
};

/**
 * A request may hold a mebibyte of JSON (the gateway's `MAX_BODY_BYTES`); this leaves room for the other parts beside
 * the ids.
 */
const MOST_ID_BYTES = 900_000;

/**
 * The requests that send a draft: one, or, for a file of so many user ids that one request cannot hold them, several that
 * share a client id. The draft has no problems.
 *
 * @param fileUsers the user ids that were read from the chosen file
 */
export function requestsOf(draft: MessageDraft, fileUsers: readonly string[] = []): SendCall[] {
  const content = contentOf(draft);
  const parts = recipientsOf(draft, fileUsers);
  const [first] = parts;
  if (parts.length === 1 && first) return [requestOf(draft, first, content, draft.draftId)];
  return parts.map((recipients, index) =>
    requestOf(draft, recipients, { clientId: draft.draftId, ...content }, `${draft.draftId}-${index + 1}`),
  );
}

function requestOf(
  { reach }: MessageDraft,
  recipients: Recipients,
  content: MessageBody,
  idempotencyKey: string,
): SendCall {
  if (reach === 'vendor') return { path: '/api/push/notifyUsers', body: { ...recipients, ...content }, idempotencyKey };
  return 'segment' in recipients
    ? { path: '/api/push/byQuery', body: { ...recipients, ...content }, idempotencyKey }
    : { path: '/api/push/toUsers', body: { ...recipients, ...content }, idempotencyKey };
}

/**
 * A test of a draft: to these users only, at once, and never by SMS.
 *
 * @param variant the key of the variant that they get; null: the message without variants
 */
export function testRequestOf(
  draft: MessageDraft,
  users: readonly string[],
  key: string,
  variant: string | null = null,
): SendCall {
  const plain = contentOf({
    ...draft,
    audience: { ...draft.audience, kind: 'users' },
    fallback: { ...draft.fallback, isOn: false },
    schedule: { kind: 'now', at: '' },
    rate: '',
    trackId: '',
    clientId: '',
    channel: '',
    ignoreQuietHours: true,
    countsTowardsCap: false,
  });
  const content = asVariant(draft, plain, variant);
  return requestOf(draft, { users: [...users] }, { ...content, isTest: true }, key);
}

function recipientsOf({ audience }: MessageDraft, fileUsers: readonly string[]): Recipients[] {
  switch (audience.kind) {
    case 'segment':
      return [{ segment: writeSegment(audience.segment).segment ?? {} }];
    case 'saved':
      return [{ segment: { id: audience.segmentId } }];
    case 'everyone':
      return [{ user: '*' }];
    case 'users':
      return inParts(readTypedUsers(audience.users));
    case 'file':
      return inParts(fileUsers);
  }
}

function inParts(users: readonly string[]): Recipients[] {
  const encoder = new TextEncoder();
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const user of users) {
    const size = encoder.encode(JSON.stringify(user)).length + 1;
    if (bytes + size > MOST_ID_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    bytes += size;
    parts.at(-1)?.push(user);
  }
  return parts.map((part) => ({ users: part }));
}

/** The fields of a draft that the API takes, empty ones left out. The draft has no problems. */
export function contentOf(draft: MessageDraft): MessageBody {
  const { notification: further, ...more } = readFurtherFields(draft.more) ?? {};
  const { notification: shown, ...texts } = textsOf(draft);
  const notification = { ...(further as NotificationResponse | undefined), ...shown };
  const body: MessageBody = withoutEmpty({
    ...more,
    ...texts,
    notification: Object.keys(notification).length === 0 ? undefined : notification,
    variables: variablesOf(draft),
    data: draft.data.trim() === '' ? undefined : (JSON.parse(draft.data) as MessageBody['data']),
    channel: draft.channel,
    trackId: draft.trackId.trim(),
    clientId: isCampaign(draft) ? undefined : draft.clientId.trim(),
    inApp: draft.reach === 'inApp',
    live: draft.reach === 'live',
    autoNotify: draft.autoNotify,
    trackLinks: draft.trackLinks,
    ignoreQuietHours: draft.ignoreQuietHours,
    ignoreFrequencyCap: draft.ignoreFrequencyCap && !namesUsers(draft),
    countsTowardsCap: draft.countsTowardsCap && namesUsers(draft),
    ttl: ttlOf(draft),
    fallback: fallbackOf(draft),
    localized: localizedOf(draft),
    variants: variantsOf(draft),
    winner: winnerOf(draft),
    rate: takesRate(draft) && draft.rate.trim() !== '' ? Number(draft.rate) : undefined,
    holdout: holdsOut(draft) ? Number(draft.holdout) : undefined,
    ...scheduleOf(draft),
  });
  return withTemplate(draft, body);
}

/**
 * Returns a body that names the template with which its draft was begun, so that a search by template finds the
 * message. It does not name the template if a field was removed: the template would fill it in again.
 */
function withTemplate({ template, ...draft }: MessageDraft, body: MessageBody): MessageBody {
  if (template === null) return body;
  const { id, version, says } = template;
  const named = { ...body, templateId: id, templateVersion: version };
  const isPlain = draft.languages.length === 0 && draft.variants.length === 0;
  if (isPlain && !draft.silent && says.some((path) => path.join('.') === 'notification.body')) {
    named.notification = { ...body.notification, body: draft.alertText || draft.content };
  }
  return says.every((path) => isIn(named, path)) ? named : body;
}

function isIn(body: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return false;
  return isIn((body as Record<string, unknown>)[name], rest);
}

/** Absent where there are none; one that is left empty has no value. */
function variablesOf({ variables }: MessageDraft): MessageBody['variables'] {
  const filled = variables.filter(({ value }) => value !== '').map((one) => [one.name, valueOf(one)] as const);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** A number stays one: in a condition the text `false` is true. */
function valueOf({ value, isJson = false }: MessageDraft['variables'][number]): unknown {
  if (!isJson) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The texts that the device shows, and the values that the app reads. */
function textsOf(draft: MessageDraft): MessageBody {
  const notification = notificationOf(draft);
  if (draft.silent) return { content: draft.content, silent: true, notification };
  return {
    content: draft.content,
    useAsAlert: draft.alertText === '',
    alertText: draft.alertText,
    notification,
  };
}

/** `notification`, when anything is written that only it can carry. */
export function notificationOf(draft: MessageDraft): NotificationResponse | undefined {
  if (draft.silent) return draft.contentAvailable ? { contentAvailable: true } : undefined;
  const notification = withoutEmpty({
    title: draft.title,
    clickUrl: draft.clickUrl.trim(),
    mediaUrl: draft.mediaUrl.trim(),
    mediaType: draft.mediaType.trim(),
    actions: draft.actions.length === 0 ? undefined : draft.actions.map(actionOf),
    contentAvailable: draft.contentAvailable,
    mutableContent: draft.mutableContent,
    sound: draft.sound.trim(),
    icon: draft.icon.trim(),
    smallIcon: draft.smallIcon.trim(),
    ledColor: draft.ledColor.trim(),
    category: draft.category.trim(),
    groupId: draft.groupId.trim(),
  });
  return Object.keys(notification).length === 0 ? undefined : notification;
}

function ttlOf({ ttl }: MessageDraft): number | undefined {
  return ttl.amount.trim() === '' ? undefined : Math.round(Number(ttl.amount) * TTL_SECONDS[ttl.unit]);
}

function fallbackOf(draft: MessageDraft): FallbackRequest | undefined {
  const { isOn, content, delay, onlyShown } = draft.fallback;
  if (!isOn || !namesUsers(draft)) return undefined;
  return { content, media: 'sms', delay: Number(delay), ...(onlyShown ? { policy: 'NOTIFICATION_SHOWN' } : {}) };
}

function scheduleOf(draft: MessageDraft): MessageBody {
  const kind = scheduleKindOf(draft);
  const { at } = draft.schedule;
  if (kind === 'now' || at === '') return {};
  return kind === 'at' ? { sendAt: new Date(at).toISOString() } : { sendAt: at, localTime: true };
}
