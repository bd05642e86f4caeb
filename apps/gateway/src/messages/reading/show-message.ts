import type {
  DeliveryTotals,
  MessageResponse,
  MessageSummaryResponse,
  PlannedCampaignResponse,
} from '@postrider/contracts';
import { DELIVERY_STATES, FALLBACK_STATES, type FallbackState, type JsonObject } from '@postrider/domain';
import type { DeliveryCount, MessageRecord, PlannedCampaign } from '@postrider/persistence';

const NOTHING = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as DeliveryTotals;

/** A message as it stands in a list. */
export function showSummary(message: MessageRecord): MessageSummaryResponse {
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
    localTime: message.localTime !== null,
    ignoreQuietHours: message.ignoreQuietHours,
    content: message.content,
  };
}

/**
 * A message with its totals. Every recipient, a skipped one too, is in exactly one state: the totals add up to the
 * recipients. While the audience is being resolved, the devices that are yet to be found are taken from the count; those of a
 * cancelled message come in as they are recorded, so that its totals are what the list of its deliveries has.
 */
export function showMessage(
  message: MessageRecord,
  counts: readonly DeliveryCount[],
  fallbacks: readonly FallbackCount[] | null,
): MessageResponse {
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
    users: message.userIds,
    ...pick(message.audience, 'target'),
    ...pick(message.audience, 'segment'),
    recipients: found + totals.skipped + missing,
    totals,
    byVendor,
    errors,
    fallback: fallbacks === null ? {} : fallbackTotals(fallbacks),
  });
}

/** How many of a message's fallbacks are in one state. */
export interface FallbackCount {
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

function pick(audience: JsonObject, name: 'target' | 'segment'): { target?: JsonObject; segment?: JsonObject } {
  const value = audience[name];
  return value === undefined ? {} : { [name]: value as JsonObject };
}

/** A campaign that nothing was sent for yet. */
export function showPlannedCampaign({
  campaignId,
  trackId,
  name,
  createdAt,
}: PlannedCampaign): PlannedCampaignResponse {
  return { id: campaignId, trackId, name, status: 'accepted', count: 0, createdAt: createdAt.toISOString() };
}
