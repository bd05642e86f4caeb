import type { JsonObject, JsonValue } from './json';

/** What a device shows. Unknown fields of the request are kept in `extra`. */
export interface Notification {
  title?: string;
  body?: string;
  groupId?: string;
  icon?: string;
  sound?: string;
  clickUrl?: string;
  ledColor?: string;
  smallIcon?: string;
  actions?: NotificationAction[];
  mediaType?: string;
  mediaUrl?: string;
  contentAvailable?: boolean;
  mutableContent?: boolean;
  category?: string;
  extra?: JsonObject;
}

/** One button of a notification. */
export interface NotificationAction {
  id?: string;
  title?: string;
  /** Bit flags 1 (authentication required), 2 (destructive), 4 (foreground); iOS only. */
  options?: number;
  icon?: string;
  url?: string;
  extra?: JsonObject;
}

/** The SMS sent to a user when nothing confirmed the message in time. */
export interface Fallback {
  content: string;
  media: 'sms';
  delaySeconds: number;
  policy?: 'NOTIFICATION_SHOWN';
}

/** What of a message is different in one language; the rest is as in the default. */
export interface LocalizedContent {
  content?: string;
  alertText?: string;
  /** Fields that take the place of the default notification's. */
  notification?: Notification;
  fallback?: Pick<Fallback, 'content'>;
}

/**
 * What is sent, without whom it is sent to: the validated body of a send, stored with the message as JSON and read back by
 * the workers. Booleans are real booleans here, whatever spelling the caller used; an absent flag is false.
 */
export interface MessageContent {
  content?: string;
  data?: JsonValue;
  trackId?: string;
  clientId?: string;
  alertText?: string;
  useAsAlert: boolean;
  silent: boolean;
  inApp: boolean;
  live: boolean;
  autoNotify: boolean;
  notification?: Notification;
  fallback?: Fallback;
  /** By language tag, as the sender wrote it. Rendered as an edition of the message (`contentOfEdition`). */
  localized?: Record<string, LocalizedContent>;
  /** Sent to try it out: nobody's promo code is taken for it. */
  isTest?: boolean;
  /** Only for messages to named users: whether the message counts for frequency caps and is capped. */
  countsTowardsCap?: boolean;
  /** True if it is sent to users too who have had as many campaigns as the frequency caps allow. */
  ignoreFrequencyCap?: boolean;
  /** Campaigns only: the percentage of users who get nothing, so that the others can be compared with them. */
  holdout?: number;
  /** Campaigns only: the variants of the content. Rendered as editions. */
  variants?: CampaignVariant[];
  winner?: WinnerRule;
  /** True if web links lead through the tracker, which counts who follows them. */
  trackLinks?: boolean;
  /** Base address of tracker links, taken from the request, if no setting names one. */
  linkBase?: string;
  /** The template and the version whose content this was made from. */
  templateId?: string;
  templateVersion?: number;
  /** Values that the texts read as `variables.<name>`. */
  variables?: JsonObject;
  /** Fields of the request that the API does not know; passed on to the device as they came. */
  extra?: JsonObject;
}

/** Which endpoint accepted a message: decides how its devices are reached and where it is listed. */
export const MESSAGE_KINDS = ['users', 'query', 'notify'] as const;

/**
 * `users` = toUsers, `query` = byQuery, `notify` = notifyUsers. A message is a *campaign* (and is listed as one) when its
 * audience came from `target` or `segment`, or is everybody (`user: "*"`), whichever endpoint took it.
 */
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** A message's life: `accepted` (committed), `sending` (derived: some page was begun), `done`, `cancelled`. */
export const MESSAGE_STATUSES = ['accepted', 'sending', 'done', 'cancelled'] as const;

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * The two lanes of delivery: `transactional` (named users) goes ahead of `campaign` (anything resolved by the audience
 * worker), so that a password reset does not wait behind a newsletter.
 */
export type Lane = 'transactional' | 'campaign';

/** How long "now" lasts for a message that is sent now or never (`ttl` 0; decisions, `ttl`). */
export const NOW_OR_NEVER_MS = 10_000;

/**
 * The moment from which no vendor may be asked to deliver a message any more: its expiry; for a message that expires as it
 * is accepted, a little later, or it could reach nobody. All in milliseconds since 1970.
 */
export function lastCallAt(acceptedAt: number, expiresAt: number): number {
  return expiresAt > acceptedAt ? expiresAt : acceptedAt + NOW_OR_NEVER_MS;
}

/** By what variants are compared: users who opened, or who clicked, of the users sent to. */
export const WINNER_METRICS = ['opened', 'clicked'] as const;

/** One of these. */
export type WinnerMetric = (typeof WINNER_METRICS)[number];

/** The fields of a message that a variant may say otherwise. */
export const VARIANT_FIELDS = [
  'content',
  'data',
  'alertText',
  'useAsAlert',
  'autoNotify',
  'silent',
  'notification',
  'localized',
] as const satisfies (keyof MessageContent)[];

/** What of a campaign is different for some of its users; the rest is as for everybody. */
export interface CampaignVariant extends Partial<Pick<MessageContent, (typeof VARIANT_FIELDS)[number]>> {
  name: string;
  /** Its share is this among the weights of all variants. */
  weight: number;
}

/** How a campaign finds its best variant: `share` percent of its users get variants, the others the best of them later. */
export interface WinnerRule {
  metric: WinnerMetric;
  /** Seconds from the moment at which the first devices are sent to. */
  after: number;
  share: number;
}
