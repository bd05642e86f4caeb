import type {
  CampaignSummaryResponse,
  DeliveryResponse,
  DeliveryTotals,
  FallbackResponse,
  MessageResponse,
  MessageSummaryResponse,
  PlannedCampaignResponse,
} from '@postrider/contracts';
import { DELIVERY_STATES, FALLBACK_STATES, type FallbackState } from '@postrider/domain';
import {
  type DeliveryCount,
  type DeliveryRecord,
  type FallbackRecord,
  type ListedMessage,
  type MessageEngagement,
  type MessageFacts,
  type MessageRecord,
  type PlannedCampaign,
  variantOfUser,
} from '@postrider/persistence';

const NOTHING = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as DeliveryTotals;

/** A message in the form of a list. */
export function showSummary(message: ListedMessage): MessageSummaryResponse {
  return {
    id: message.id,
    kind: message.kind,
    status: message.status,
    count: Number(message.count),
    trackId: message.trackId,
    clientId: message.clientId,
    batchId: message.batchId,
    channel: message.channel,
    acceptedAt: message.acceptedAt.toISOString(),
    expiresAt: message.expiresAt.toISOString(),
    cancelledAt: message.cancelledAt?.toISOString() ?? null,
    doneAt: message.doneAt?.toISOString() ?? null,
    rate: message.rate,
    sendAt: message.localTime ?? message.sendAt?.toISOString() ?? null,
    startsAt: (message.sendAt ?? message.acceptedAt).toISOString(),
    localTime: message.localTime !== null,
    ignoreQuietHours: message.ignoreQuietHours,
    content: message.content,
  };
}

/** @param engagement undefined: there are no receipts yet */
export function showCampaignSummary(
  message: ListedMessage,
  engagement: MessageEngagement | undefined,
): CampaignSummaryResponse {
  const { delivered = 0, opened = 0, clicked = 0 } = engagement ?? {};
  return { ...showSummary(message), engagement: { delivered, opened, clicked } };
}

/**
 * A message with its totals. Every recipient, also a skipped one, is in exactly one state, so the totals add up to the
 * recipients. While the audience is being resolved, the number of devices that are still to be found comes from the
 * count. For a cancelled message they are counted as they are recorded, so that its totals agree with the list of its
 * deliveries.
 */
export function showMessage(
  message: MessageRecord,
  counts: readonly DeliveryCount[],
  fallbacks: readonly FallbackCount[] | null,
): MessageResponse {
  const { target, segment } = message.audience;
  const totals = { ...NOTHING };
  const byVendor: MessageResponse['byVendor'] = {};
  const errors: Record<string, number> = {};
  for (const { state, vendor, errorCode, count } of counts) {
    totals[state] += count;
    if (vendor !== null) add((byVendor[vendor] ??= {}), state, count);
    if (errorCode !== null) add(errors, errorCode, count);
  }
  const found = DELIVERY_STATES.reduce((sum, state) => sum + totals[state], 0) - totals.skipped;
  const isGrowing = message.resolvedAt === null && message.status !== 'cancelled';
  const missing = isGrowing ? Math.max(0, Number(message.count) - found) : 0;
  totals.pending += missing;
  return Object.assign(showSummary(message), {
    revision: message.revision,
    users: message.userIds,
    ...(target === undefined ? {} : { target }),
    ...(segment === undefined ? {} : { segment }),
    recipients: found + totals.skipped + missing,
    totals,
    byVendor,
    ...skipsOf(counts),
    errors,
    fallback: fallbacks === null ? {} : fallbackTotals(fallbacks),
  });
}

/** Why devices were skipped: over all vendors, and by vendor. */
function skipsOf(counts: readonly DeliveryCount[]): Pick<MessageResponse, 'skipped' | 'skippedByVendor'> {
  const skipped: Record<string, number> = {};
  const skippedByVendor: MessageResponse['skippedByVendor'] = {};
  for (const { vendor, skipReason, count } of counts) {
    if (skipReason === null) continue;
    add(skipped, skipReason, count);
    if (vendor !== null) add((skippedByVendor[vendor] ??= {}), skipReason, count);
  }
  return { skipped, skippedByVendor };
}

/** The number of a message's fallbacks in one state. */
interface FallbackCount {
  state: FallbackState;
  count: number;
}

function fallbackTotals(counts: readonly FallbackCount[]): MessageResponse['fallback'] {
  const totals: MessageResponse['fallback'] = Object.fromEntries(FALLBACK_STATES.map((state) => [state, 0]));
  for (const { state, count } of counts) totals[state] = count;
  return totals;
}

function add<Key extends string>(counts: Partial<Record<Key, number>>, key: Key, count: number): void {
  counts[key] = (counts[key] ?? 0) + count;
}

/** A campaign without a send. */
export function showPlannedCampaign({
  campaignId,
  trackId,
  name,
  createdAt,
}: PlannedCampaign): PlannedCampaignResponse {
  return { id: campaignId, trackId, name, status: 'accepted', count: 0, createdAt: createdAt.toISOString() };
}

/** The variant of a message that a user gets. Null: none (yet). */
export function variantOf(appId: string, message: MessageFacts, userId: string | null): string | null {
  const { id, content, winnerVariant: winner } = message;
  return variantOfUser({ appId, id, content, winner }, userId);
}

/** A delivery as callers get it, with a reason in words if no recorded reason says why it waits. */
export function showDelivery(delivery: DeliveryRecord, variant: string | null): DeliveryResponse {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    installationId: delivery.installationId,
    userId: delivery.userId,
    state: delivery.state,
    vendor: delivery.vendor,
    vendorMessageId: delivery.vendorMessageId,
    error: delivery.errorCode,
    reason: delivery.reason ?? whyDeliveryWaits(delivery),
    attempt: delivery.attempt,
    promoCode: delivery.promoCode,
    variant,
    language: delivery.language,
    createdAt: delivery.createdAt.toISOString(),
    sentAt: time(delivery.sentAt),
    deliveredAt: time(delivery.deliveredAt),
    shownAt: time(delivery.shownAt),
    openedAt: time(delivery.openedAt),
    dismissedAt: time(delivery.dismissedAt),
    updatedAt: delivery.updatedAt.toISOString(),
  };
}

const MOMENTS = new Map<DeliveryRecord['waitsFor'], string>([
  ['quiet_hours', 'when the quiet hours end'],
  ['local_time', 'when the time of day of the message comes where the device is'],
]);

/** What keeps all messages for a vendor waiting. */
const TROUBLES = new Map<DeliveryRecord['waitsFor'], string>([
  [
    'no_credentials',
    'The application has no credentials for this vendor. It is sent when somebody has stored them in the settings, under Vendors',
  ],
  [
    'credentials',
    'The vendor refuses the credentials of the application. It is sent when somebody has replaced them in the settings, under Vendors',
  ],
  ['vendor', 'The vendor does not work at the moment. It is sent when the vendor works again'],
]);

function whyDeliveryWaits({ state, attempt, notBefore, waitsFor }: DeliveryRecord): string | null {
  if (state === 'cancelled') return 'The message was cancelled before it was sent to this device';
  if (state !== 'pending') return null;
  if (waitsFor === 'winner') return 'Waits for the winner among the variants';
  const [trouble, moment] = [TROUBLES.get(waitsFor), MOMENTS.get(waitsFor)];
  if (trouble !== undefined) return trouble;
  if (moment !== undefined && notBefore !== null) return `Waits until ${notBefore.toISOString()}, ${moment}`;
  if (attempt === 0) return 'Waits for its turn';
  const again = notBefore === null ? 'again soon' : `again after ${notBefore.toISOString()}`;
  return `The vendor did not take it in attempt ${attempt}; it is tried ${again}`;
}

const SHOWN_DIGITS = 3;

/** A fallback as callers get it: the phone number can be recognised, but not called. */
export function showFallback(fallback: FallbackRecord): FallbackResponse {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    userId: fallback.userId,
    state: fallback.state,
    phone: fallback.phone === null ? null : maskPhone(fallback.phone),
    provider: fallback.provider,
    providerMessageId: fallback.providerMessageId,
    error: fallback.errorCode,
    reason: fallback.reason ?? whyFallbackWaits(fallback),
    attempt: fallback.attempt,
    resent: fallback.resent,
    dueAt: fallback.dueAt.toISOString(),
    attemptedAt: time(fallback.attemptedAt),
    sentAt: time(fallback.sentAt),
    endedAt: time(fallback.endedAt),
    updatedAt: fallback.updatedAt.toISOString(),
  };
}

/** `+14155552345` → `+********345`. */
function maskPhone(phone: string): string {
  return phone.slice(0, -SHOWN_DIGITS).replace(/\d/g, '*') + phone.slice(-SHOWN_DIGITS);
}

function whyFallbackWaits({ state, dueAt, expiresAt }: FallbackRecord): string | null {
  if (state === 'waiting' && dueAt >= expiresAt) {
    return `No SMS is sent: the message expires at ${expiresAt.toISOString()}, before the SMS is due`;
  }
  if (state === 'waiting') return `Waits for a confirmation until ${dueAt.toISOString()}`;
  if (state === 'confirmed') return 'A device of the user confirmed the message';
  if (state === 'cancelled') return 'The message was cancelled before the SMS was sent';
  return null;
}
