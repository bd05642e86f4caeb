import type { PromoAssignmentResponse, PromoJobResponse, PromoSetResponse } from '@postrider/contracts';
import { GLOBAL_TRACK_ID, type PromoAssignment, type PromoSet, type PromoSetState } from '@postrider/persistence';

/** What an upload is answered with: the id of the application for its global set. */
export function promoSetIdOf({ appId, setId, trackId }: Pick<PromoSet, 'appId' | 'setId' | 'trackId'>): string {
  return trackId === GLOBAL_TRACK_ID ? appId : setId;
}

/** A set as the API shows it. */
export function showPromoSet(set: PromoSet): PromoSetResponse {
  return {
    id: set.setId,
    promoSetId: promoSetIdOf(set),
    trackId: trackIdOf(set),
    inForce: set.state === 'in_force',
    total: set.total ?? 0,
    givenBefore: set.givenBefore,
    assigned: set.assigned,
    remaining: set.remaining,
    lowStockAt: set.lowStockAt,
    isLow: set.state === 'in_force' && set.lowSince !== null,
    createdAt: set.createdAt.toISOString(),
    inForceAt: set.inForceAt?.toISOString() ?? null,
    replacedAt: set.endedAt?.toISOString() ?? null,
  };
}

const STATUS: Record<PromoSetState, PromoJobResponse['status']> = {
  uploading: 'uploading',
  importing: 'importing',
  in_force: 'done',
  replaced: 'done',
  failed: 'failed',
};

/** An upload as the API shows it. */
export function showPromoJob(set: PromoSet): PromoJobResponse {
  const status = STATUS[set.state];
  const finishedAt = status === 'done' ? set.inForceAt : set.endedAt;
  return {
    jobId: set.setId,
    promoSetId: promoSetIdOf(set),
    trackId: trackIdOf(set),
    status,
    reason: set.reason,
    bytes: set.bytes,
    bytesImported: set.position,
    rows: set.loaded,
    totalRows: status === 'done' ? set.total : null,
    createdAt: set.createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

/** Who was given a code, as the API shows it. */
export function showPromoAssignment({ code, userId, messageId, claimedAt }: PromoAssignment): PromoAssignmentResponse {
  return { code, userId, messageId, claimedAt: claimedAt.toISOString() };
}

function trackIdOf({ trackId }: PromoSet): string | null {
  return trackId === GLOBAL_TRACK_ID ? null : trackId;
}
