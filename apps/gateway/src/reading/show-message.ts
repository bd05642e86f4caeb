import type {
  DeliveryTotals,
  MessageResponse,
  MessageSummaryResponse,
  PlannedCampaignResponse,
} from '@postrider/contracts';
import { DELIVERY_STATES, type JsonObject } from '@postrider/domain';
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
    content: message.content,
  };
}

/**
 * A message with its totals. Every device is in exactly one state, so that the totals are the recipients and the skipped
 * together. While the audience is being resolved, the devices that are yet to be found are taken from the count.
 */
export function showMessage(message: MessageRecord, counts: readonly DeliveryCount[]): MessageResponse {
  const totals = { ...NOTHING };
  const byVendor: MessageResponse['byVendor'] = {};
  const errors: Record<string, number> = {};
  for (const { state, vendor, errorCode, count } of counts) {
    totals[state] += count;
    if (vendor !== null) add((byVendor[vendor] ??= {}), state, count);
    if (errorCode !== null) add(errors, errorCode, count);
  }
  const found = DELIVERY_STATES.reduce((sum, state) => sum + totals[state], 0) - totals.skipped;
  const missing = message.resolvedAt === null ? Math.max(0, Number(message.count) - found) : 0;
  totals[message.status === 'cancelled' ? 'cancelled' : 'pending'] += missing;
  return {
    ...showSummary(message),
    users: message.userIds,
    ...pick(message.audience, 'target'),
    ...pick(message.audience, 'segment'),
    recipients: found + missing,
    totals,
    byVendor,
    errors,
    fallback: {},
  };
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
