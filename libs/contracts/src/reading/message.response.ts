import type {
  DeliveryState,
  FallbackState,
  JsonObject,
  MessageContent,
  MessageKind,
  MessageStatus,
} from '@postrider/domain';

/** How many deliveries are in each state. They are disjoint: a delivery is counted where it is now. */
export type DeliveryTotals = Record<DeliveryState, number>;

/** A message in a list. */
export interface MessageSummaryResponse {
  id: string;
  kind: MessageKind;
  status: MessageStatus;
  /** Devices the message is sent to, as answered when it was accepted. */
  count: number;
  trackId: string | null;
  clientId: string | null;
  batchId: string | null;
  channel: string;
  acceptedAt: string;
  expiresAt: string;
  cancelledAt: string | null;
  doneAt: string | null;
  /** Devices per second, as asked for. */
  rate: number | null;
  /** When it is sent, as asked for; with `localTime` without an offset: each device's own time. */
  sendAt: string | null;
  localTime: boolean;
  ignoreQuietHours: boolean;
  content: MessageContent;
}

/** A message with what became of it. */
export interface MessageResponse extends MessageSummaryResponse {
  users: string[] | null;
  target?: JsonObject;
  segment?: JsonObject;
  /** Devices that the audience resolved to, those that were skipped too: what the totals add up to. */
  recipients: number;
  totals: DeliveryTotals;
  byVendor: Record<string, Partial<DeliveryTotals>>;
  /** Deliveries with an error, by its code. */
  errors: Record<string, number>;
  /** SMS sent in place of the message, one a user, by state; empty when none was asked for. */
  fallback: Partial<Record<FallbackState, number>>;
}

/** A campaign that was made ahead of its first send. */
export interface PlannedCampaignResponse {
  id: string;
  trackId: string;
  name: string | null;
  status: 'accepted';
  count: 0;
  createdAt: string;
}

/** A message's delivery to one device. */
export interface DeliveryResponse {
  installationId: string | null;
  userId: string | null;
  state: DeliveryState;
  vendor: string | null;
  vendorMessageId: string | null;
  error: string | null;
  /** In words: why it was not sent, or what it waits for. */
  reason: string | null;
  attempt: number;
  promoCode: string | null;
  createdAt: string;
  sentAt: string | null;
  deliveredAt: string | null;
  shownAt: string | null;
  openedAt: string | null;
  dismissedAt: string | null;
  updatedAt: string;
}

/** A message's fallback SMS to one user. */
export interface FallbackResponse {
  userId: string;
  state: FallbackState;
  /** Only the last three digits are shown. */
  phone: string | null;
  provider: string | null;
  providerMessageId: string | null;
  error: string | null;
  /** In words: why it was not sent, or what it waits for. */
  reason: string | null;
  attempt: number;
  /** How often it was sent again although the provider may have taken it. */
  resent: number;
  dueAt: string;
  attemptedAt: string | null;
  sentAt: string | null;
  endedAt: string | null;
  updatedAt: string;
}

/** A part of a list, and where the next part begins; null: this is the end. */
export type Listed<Name extends string, Item> = Record<Name, Item[]> & { nextCursor: string | null };
