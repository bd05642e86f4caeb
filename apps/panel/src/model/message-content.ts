import type {
  FallbackRequest,
  MessageContentResponse,
  NotificationActionResponse,
  NotificationResponse,
  SendToUsersRequest,
} from '../api/generated/document';
import {
  type ActionDraft,
  isCampaign,
  type MessageDraft,
  namesUsers,
  scheduleKindOf,
  takesRate,
  TTL_SECONDS,
} from './message-draft';

/** The body of a message, without whom it goes to. */
export type MessageBody = Partial<Omit<MessageContentResponse, 'fallback'>> &
  Pick<SendToUsersRequest, 'channel' | 'ttl' | 'rate' | 'sendAt' | 'fallback'> & {
    localTime?: boolean;
    ignoreQuietHours?: boolean;
  };

/** The fields of a draft that the API takes, empty ones left out. The draft has no problems. */
export function contentOf(draft: MessageDraft): MessageBody {
  return withoutEmpty({
    ...textsOf(draft),
    data: draft.data.trim() === '' ? undefined : (JSON.parse(draft.data) as MessageBody['data']),
    channel: draft.channel,
    trackId: draft.trackId.trim(),
    clientId: isCampaign(draft) ? undefined : draft.clientId.trim(),
    inApp: draft.reach === 'inApp',
    live: draft.reach === 'live',
    autoNotify: draft.autoNotify,
    trackLinks: draft.trackLinks,
    ignoreQuietHours: draft.ignoreQuietHours,
    ttl: ttlOf(draft),
    fallback: fallbackOf(draft),
    rate: takesRate(draft) && draft.rate.trim() !== '' ? Number(draft.rate) : undefined,
    ...scheduleOf(draft),
  });
}

/** What the device shows, and what the app reads. */
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

function actionOf({ id, title, url, icon, options }: ActionDraft): NotificationActionResponse {
  return withoutEmpty({
    id: id.trim() || title.trim(),
    title,
    url: url.trim(),
    icon: icon.trim(),
    options: options || undefined,
  });
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

/** What is '', false or undefined says nothing that leaving it out does not say. */
function withoutEmpty<Body extends object>(body: Body): Partial<Body> {
  const said = Object.entries(body).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return Object.fromEntries(said) as Partial<Body>;
}
