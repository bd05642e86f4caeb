import type { MessageResponse } from '../generated/document';

/** A device that an event is about. */
export interface WebhookDevice {
  installationId: string | null;
  userId: string | null;
  vendor: string | null;
}

/** The trouble of a vendor. */
interface VendorTrouble {
  vendor: string;
  code: string;
  reason: string;
  since: string;
}

/** The `data` of each event; the API guide says when each is sent. Times are ISO 8601 in UTC, with milliseconds. */
export interface WebhookData {
  'message.done': {
    messageId: string;
    kind: 'users' | 'query' | 'notify';
    trackId: string | null;
    clientId: string | null;
    batchId: string | null;
    count: number;
    /** Deliveries by state, every one of them. */
    totals: MessageResponse['totals'] & Record<string, number>;
    acceptedAt: string;
    doneAt: string;
  };
  'delivery.failed': {
    messageId: string;
    trackId: string | null;
    /** Also of users who were erased since; `deliveries` no longer names these. */
    count: number;
    deliveries: (WebhookDevice & {
      errorCode: string | null;
      reason: string | null;
      attempt: number;
      /** The tag of `localized` that it was to be sent in; null: the default. */
      language: string | null;
      /** The variant of the campaign; null: the message has none. */
      variant: string | null;
      failedAt: string;
    })[];
  };
  'token.removed': {
    reason: string;
    /** Also of users who were erased since; `tokens` no longer names these. */
    count: number;
    tokens: WebhookDevice[];
  };
  'fallback.sent': {
    messageId: string;
    /** Null, like `phone`: the user was erased before the event was sent, or sent again. */
    userId: string | null;
    provider: string;
    phone: string | null;
    sentAt: string;
  };
  /** `promoSetId` of codes for all messages is the id of the application; `trackId` is null then. */
  'promo.low_stock': { promoSetId: string; trackId: string | null; remaining: number; lowStockAt: number };
  'vendor.credentials_failing': VendorTrouble;
  'vendor.breaker_opened': VendorTrouble;
  'tokens.quarantined': { vendor: string; count: number; share: number; normalShare: number; since: string };
  'webhook.test': { message: string };
}

/** The types of events. */
export type WebhookEventType = keyof WebhookData;

/** An event of one type, as the body of a webhook. */
export interface WebhookEventOf<Type extends WebhookEventType> {
  /** The same with every attempt: remember the ids of events that you have processed. */
  id: string;
  type: Type;
  createdAt: string;
  appId: string;
  data: WebhookData[Type];
}

/** An event. A later version of the service may send further types: leave out what you do not know. */
export type WebhookEvent = { [Type in WebhookEventType]: WebhookEventOf<Type> }[WebhookEventType];
