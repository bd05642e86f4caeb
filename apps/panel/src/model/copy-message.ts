import {
  TTL_SECONDS,
  type ActionDraft,
  type LanguageDraft,
  type MessageDraft,
  newMessage,
  type VariantDraft,
  type WinnerDraft,
} from './message-draft';
import type {
  MessageContentResponse,
  MessageResponse,
  NotificationResponse,
  VariantResponse,
} from '@postrider/server/document';
import { jsonOf, PLACED_FIELDS, textOf, withoutEmpty } from './message-body';
import { newVariant } from './message-variants';
import { newKey } from './segment-draft';

type SentMessage = Pick<MessageResponse, 'content' | 'channel' | 'kind' | 'rate' | 'ignoreQuietHours'>;

/**
 * Returns a draft of a sent message, which goes the same way, at the same rate, also in quiet hours if that one did; its
 * recipients and its time are chosen anew.
 */
export function copyOfMessage(
  { content, channel, kind, rate, ignoreQuietHours }: SentMessage,
  draftId: string,
): MessageDraft {
  const steering = { rate: rate?.toString() ?? '', ignoreQuietHours };
  const copy = { ...copyOf(content, channel, draftId), ...steering };
  return kind === 'notify' ? { ...copy, reach: 'vendor' } : copy;
}

/** Returns a draft with the content of a sent message or of a template. */
export function copyOf(content: MessageContentResponse, channel: string, draftId: string): MessageDraft {
  const { notification } = content;
  return {
    ...newMessage(draftId),
    ...textsOf(content),
    ...notificationTexts(notification),
    ...flagsOf(content),
    channel: channel === 'public/default' ? '' : channel,
    holdout: content.holdout?.toString() ?? '',
    actions: notification?.actions?.map(actionOf) ?? [],
    more: furtherOf(content),
    fallback: fallbackOf(content),
    variables: Object.entries(content.variables ?? {}).map(([name, value]) => variableOf(name, value)),
    languages: languagesOf(content.localized),
    variants: content.variants?.map((variant) => variantOf(variant, notification)) ?? [],
    winner: winnerOf(content.winner),
  };
}

/** A variable with a value. */
export function variableOf(name: string, value: unknown): MessageDraft['variables'][number] {
  const isText = typeof value === 'string' || value === undefined || value === null;
  return { name, value: textOf(value), isRequired: false, description: '', ...(isText ? {} : { isJson: true }) };
}

/**
 * Returns the part for which a draft has no fields, as JSON. A template has such fields among the others, a sent
 * message in `extra`.
 */
function furtherOf(content: MessageContentResponse): string {
  const notification = othersOf(content.notification, PLACED_FIELDS.notification);
  const isEmpty = Object.keys(notification).length === 0;
  const further = { ...othersOf(content, PLACED_FIELDS.message), ...(isEmpty ? {} : { notification }) };
  return Object.keys(further).length === 0 ? '' : jsonOf(further);
}

function othersOf(fields: { extra?: object } | undefined, placed: ReadonlySet<string>): Record<string, unknown> {
  const others = Object.entries(fields ?? {}).filter(([name, value]) => !placed.has(name) && value !== null);
  return { ...Object.fromEntries(others), ...fields?.extra };
}

/** As a request and a template say it, or as a sent message does. */
function fallbackOf({ fallback }: MessageContentResponse): MessageDraft['fallback'] {
  const empty = newMessage('').fallback;
  if (fallback === undefined || fallback === null) return empty;
  const { content, policy, delay, delaySeconds } = fallback as typeof fallback & { delay?: number };
  return {
    isOn: true,
    content,
    delay: String(delaySeconds ?? delay ?? empty.delay),
    onlyShown: policy === 'NOTIFICATION_SHOWN',
  };
}

function winnerOf(winner: MessageContentResponse['winner']): WinnerDraft {
  if (winner === undefined) return newMessage('').winner;
  const { metric, after, share } = winner;
  const unit = (['days', 'hours'] as const).find((one) => after % TTL_SECONDS[one] === 0) ?? 'minutes';
  return { kind: 'figures', metric, after: { amount: String(after / TTL_SECONDS[unit]), unit }, share: String(share) };
}

function variantOf(variant: VariantResponse, base: NotificationResponse | undefined): VariantDraft {
  const { key, ...empty } = newVariant(variant.name);
  const { content, alertText, data, notification } = variant;
  const { title, body, clickUrl, mediaUrl, actions = [] } = notification ?? {};
  // The body of the message goes before any alert text.
  const texts = { title, content, clickUrl, mediaUrl, alertText: body ?? (base?.body === undefined ? alertText : '') };
  return {
    ...empty,
    ...withoutEmpty(texts),
    key,
    weight: String(variant.weight),
    actions: actions.map(actionOf),
    data: jsonOf(data),
    more: moreOf(variant),
    languages: languagesOf(variant.localized),
  };
}

const WITH_FIELDS = new Set(['title', 'body', 'clickUrl', 'mediaUrl', 'actions']);

/** Returns the part for which the form has no field, as JSON. */
function moreOf({ useAsAlert, autoNotify, silent, notification = {} }: VariantResponse): string {
  const { extra, ...fields } = notification;
  const others = Object.entries(fields).filter(([name]) => !WITH_FIELDS.has(name));
  const more = { useAsAlert, autoNotify, silent, notification: { ...extra, ...Object.fromEntries(others) } };
  const said = Object.entries(more).filter(
    ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0),
  );
  return said.length === 0 ? '' : jsonOf(Object.fromEntries(said));
}

function languagesOf(localized: MessageContentResponse['localized'] = {}): LanguageDraft[] {
  return Object.entries(localized).map(([tag, own]) => languageOf(tag, own));
}

function languageOf(tag: string, own: NonNullable<MessageContentResponse['localized']>[string]): LanguageDraft {
  const { content = '', alertText = '', notification, fallback } = own;
  const { title = '', clickUrl = '', body = alertText } = notification ?? {};
  return { key: newKey(), tag, title, content, alertText: body, clickUrl, sms: fallback?.content ?? '' };
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
    ignoreFrequencyCap: content.ignoreFrequencyCap ?? false,
    countsTowardsCap: content.countsTowardsCap ?? false,
  };
}

function textsOf(content: MessageContentResponse): Partial<MessageDraft> {
  const { content: text = '', notification, alertText, data, trackId } = content;
  const shown = notification?.body ?? alertText ?? '';
  return {
    content: text,
    alertText: shown === text ? '' : shown,
    data: jsonOf(data),
    trackId: trackId ?? '',
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
