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

/** The SMS that a user gets if no device confirmed the message in time. */
export interface Fallback {
  content: string;
  media: 'sms';
  delaySeconds: number;
  policy?: 'NOTIFICATION_SHOWN';
}

/** The fields of a message that differ in one language; the rest is as in the default. */
export interface LocalizedContent {
  content?: string;
  alertText?: string;
  /** Fields that replace the default notification's. */
  notification?: Notification;
  fallback?: Pick<Fallback, 'content'>;
}

/**
 * The content of a message without its recipients: the validated body of a send, stored with the message as JSON and
 * read back by the workers. Booleans are real booleans here, whatever spelling the caller used. An absent flag is
 * false.
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
  /** A trial: no promo code is taken for it. */
  isTest?: boolean;
  /** Only for messages to named users: whether the message counts for frequency caps and is capped. */
  countsTowardsCap?: boolean;
  /** True if it is also sent to users who have reached a frequency cap. */
  ignoreFrequencyCap?: boolean;
  /** Campaigns only: the percentage of users who get nothing, so that the others can be compared with them. */
  holdout?: number;
  /** Campaigns only: the variants of the content. Rendered as editions. */
  variants?: CampaignVariant[];
  winner?: WinnerRule;
  /** True if web links lead through the tracker, which counts who follows them. */
  trackLinks?: boolean;
  /** Base address of tracker links, taken from the request if no setting names one. */
  linkBase?: string;
  /** The template and the version that the content came from. */
  templateId?: string;
  templateVersion?: number;
  /** Values that the texts read as `variables.<name>`. */
  variables?: JsonObject;
  /** Unknown fields of the request, passed on to the device unchanged. */
  extra?: JsonObject;
}

/** Which endpoint accepted a message: decides how its devices are reached and where it is listed. */
export const MESSAGE_KINDS = ['users', 'query', 'notify'] as const;

/**
 * `users` = toUsers, `query` = byQuery, `notify` = notifyUsers. A message is a *campaign* (and is listed as one) if its
 * audience came from `target` or `segment`, or is everybody (`user: "*"`), whichever endpoint accepted it.
 */
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The status of a message: `accepted` (committed), `sending` (derived: some page was claimed), `done`, `cancelled`. */
export const MESSAGE_STATUSES = ['accepted', 'sending', 'done', 'cancelled'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * The two lanes of delivery: `transactional` (named users) goes before `campaign` (anything resolved by the audience
 * worker), so that a password reset does not wait behind a newsletter.
 */
export type Lane = 'transactional' | 'campaign';

/** How long "now" lasts for a message that is sent now or never (`ttl` 0). */
export const NOW_OR_NEVER_MS = 10_000;

/**
 * The moment after which no vendor may be called about a message: its expiry. For a message that expires when it is
 * accepted it is a little later, because otherwise it could reach nobody. All in milliseconds since 1970.
 */
export function lastCallAt(acceptedAt: number, expiresAt: number): number {
  return expiresAt > acceptedAt ? expiresAt : acceptedAt + NOW_OR_NEVER_MS;
}

/**
 * The moment until which deliveries wait for a connection: the last call of the message (`lastCallAt`). A live message is
 * meant for this moment only, so its deliveries wait no longer than "now" lasts. All in milliseconds since 1970.
 */
export function waitingEndsAt(isLive: boolean, acceptedAt: number, expiresAt: number): number {
  const lastCall = lastCallAt(acceptedAt, expiresAt);
  return isLive ? Math.min(lastCall, acceptedAt + NOW_OR_NEVER_MS) : lastCall;
}

/** How variants are compared: by the users who opened, or who clicked, among the users sent to. */
export const WINNER_METRICS = ['opened', 'clicked'] as const;

/** One of these. */
export type WinnerMetric = (typeof WINNER_METRICS)[number];

/** The fields of a message that a variant may replace. */
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

/** The fields of a campaign that differ for some of its users; the rest is the same for everybody. */
export interface CampaignVariant extends Partial<Pick<MessageContent, (typeof VARIANT_FIELDS)[number]>> {
  name: string;
  /** Its share is this weight among the weights of all variants. */
  weight: number;
}

/**
 * How a campaign finds its best variant: `share` percent of its users get variants, and the others get the best of them
 * later.
 */
interface WinnerRule {
  metric: WinnerMetric;
  /** Seconds from the moment at which the first devices are sent to. */
  after: number;
  share: number;
}
