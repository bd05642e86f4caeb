import type { MessageContentResponse, NotificationResponse } from '../api/generated/document';
import { type ActionDraft, type MessageDraft, newMessage, TTL_SECONDS } from './message-draft';
import { newKey } from './segment-draft';

/** A draft that says what a sent message said; whom it goes to is chosen anew. */
export function copyOf(content: MessageContentResponse, channel: string, draftId: string): MessageDraft {
  const { notification } = content;
  return {
    ...newMessage(draftId),
    ...textsOf(content),
    ...notificationTexts(notification),
    ...flagsOf(content),
    channel: channel === 'public/default' ? '' : channel,
    actions: notification?.actions?.map(actionOf) ?? [],
  };
}

function flagsOf(content: MessageContentResponse): Partial<MessageDraft> {
  const { notification } = content;
  return {
    silent: content.silent,
    autoNotify: content.autoNotify,
    contentAvailable: notification?.contentAvailable ?? false,
    mutableContent: notification?.mutableContent ?? false,
    reach: content.live ? 'live' : content.inApp ? 'inApp' : 'any',
    trackLinks: content.trackLinks ?? false,
  };
}

/** The life of a message in the largest unit that says it in whole numbers. */
export function ttlText(seconds: number): MessageDraft['ttl'] {
  const unit = (['days', 'hours', 'minutes'] as const).find((one) => seconds % TTL_SECONDS[one] === 0);
  return { amount: String(seconds / TTL_SECONDS[unit ?? 'minutes']), unit: unit ?? 'minutes' };
}

function textsOf(content: MessageContentResponse): Partial<MessageDraft> {
  const shown = content.notification?.body ?? content.alertText ?? '';
  return {
    content: content.content ?? '',
    alertText: shown === content.content ? '' : shown,
    data: content.data === undefined ? '' : JSON.stringify(content.data, null, 2),
    trackId: content.trackId ?? '',
  };
}

function notificationTexts(notification: NotificationResponse | undefined): Partial<MessageDraft> {
  const fields = [
    'title',
    'clickUrl',
    'mediaUrl',
    'mediaType',
    'sound',
    'icon',
    'smallIcon',
    'ledColor',
    'category',
    'groupId',
  ] as const;
  return Object.fromEntries(fields.map((field) => [field, notification?.[field] ?? '']));
}

function actionOf(action: NonNullable<NotificationResponse['actions']>[number]): ActionDraft {
  const { id = '', title = '', url = '', icon = '', options = 0 } = action;
  return { key: newKey(), id, title, url, icon, options };
}
