import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import {
  askedAssignments,
  type AskedAssignments,
  cutList,
  makeCursor,
  type PromoAssignmentResponse,
  type PromoAssignmentsQuery,
  type PromoAssignmentsResponse,
  type PromoJobResponse,
  type PromoSetChangeRequest,
  type PromoSetResponse,
  type PromoSetsQuery,
  type PromoSetsResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import {
  GLOBAL_TRACK_ID,
  type PromoAssignment,
  PromoAssignmentsRepository,
  type PromoSet,
  type PromoSetKey,
  PromoSetsRepository,
  type PromoSetState,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { LowStockThreshold } from '@postrider/promo';
import { csvLine } from '../http/csv';
import { readParts } from '../http/read-parts';

/** Reads promo sets, uploads, and who got which code. */
@Injectable()
export class PromoSets {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly sets: PromoSetsRepository,
    private readonly assignments: PromoAssignmentsRepository,
    private readonly threshold: LowStockThreshold,
  ) {}

  /** Sets that are or were in force, the newest upload first. */
  async list(appId: string, { trackId, inForce, cursor, limit }: PromoSetsQuery): Promise<PromoSetsResponse> {
    const asked = { trackId: trackId ?? null, inForce: inForce ?? null, beforeId: cursor ?? null };
    const found = await this.sets.list(appId, asked, limit + 1);
    const { entries, nextCursor } = cutList(found, limit, ({ setId }) => makeCursor(setId));
    return { sets: entries.map(showPromoSet), nextCursor };
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, id: string): Promise<PromoSetResponse> {
    return showPromoSet(await this.get(appId, id));
  }

  /**
   * A set that is or was in force.
   *
   * @param id of the upload, or of the application: its global set
   * @throws DomainError NOT_FOUND
   */
  async get(appId: string, id: string): Promise<PromoSet> {
    const set = await this.#find(appId, id);
    if (set?.state === 'in_force' || set?.state === 'replaced') return set;
    throw new DomainError('NOT_FOUND', 'There is no such promo set');
  }

  /** Changes the threshold of a set. @throws DomainError NOT_FOUND, CONFLICT if it is no longer in force */
  async change(appId: string, id: string, { lowStockAt }: PromoSetChangeRequest): Promise<PromoSetResponse> {
    const { setId } = await this.get(appId, id);
    if (!(await this.threshold.change({ appId, setId }, { lowStockAt, now: this.clock.now() }))) {
      throw new DomainError('CONFLICT', 'This promo set is no longer in force');
    }
    return this.find(appId, setId);
  }

  /** Who got the codes of a set, in the order in which they were given out. @throws DomainError NOT_FOUND */
  async listAssignments(appId: string, id: string, query: PromoAssignmentsQuery): Promise<PromoAssignmentsResponse> {
    const { limit } = query;
    const set = await this.get(appId, id);
    const found = await this.assignments.list(set, askedAssignments(query), limit + 1);
    const { entries, nextCursor } = cutList(found, limit, ({ ordinal }) => makeCursor(String(ordinal)));
    return { assignments: entries.map(showPromoAssignment), nextCursor };
  }

  /** The progress of an upload. @throws DomainError NOT_FOUND */
  async findJob(appId: string, jobId: string): Promise<PromoJobResponse> {
    const set = isUuid(jobId) ? await this.sets.find({ appId, setId: jobId }) : null;
    if (!set) throw new DomainError('NOT_FOUND', 'There is no such job');
    return showPromoJob(set);
  }

  async #find(appId: string, id: string): Promise<PromoSet | null> {
    if (id === appId) return this.sets.findGlobal(appId);
    return isUuid(id) ? this.sets.find({ appId, setId: id }) : null;
  }
}

/** The set's id in answers: for the global set, the id of the application. */
export function promoSetIdOf({ appId, setId, trackId }: Pick<PromoSet, 'appId' | 'setId' | 'trackId'>): string {
  return trackId === GLOBAL_TRACK_ID ? appId : setId;
}

/** A set as the API shows it. */
function showPromoSet(set: PromoSet): PromoSetResponse {
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
function showPromoJob(set: PromoSet): PromoJobResponse {
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

/** Who got a code, as the API shows it. */
function showPromoAssignment({ code, userId, messageId, claimedAt }: PromoAssignment): PromoAssignmentResponse {
  return { code, userId, messageId, claimedAt: claimedAt.toISOString() };
}

function trackIdOf({ trackId }: PromoSet): string | null {
  return trackId === GLOBAL_TRACK_ID ? null : trackId;
}

const CSV_COLUMNS = ['code', 'userId', 'messageId', 'claimedAt'];

/** The number of assignments that one statement reads. */
const SLICE_SIZE = 1_000;

/** Writes who got which code as CSV. */
@Injectable()
export class ExportAssignments {
  constructor(
    private readonly assignments: PromoAssignmentsRepository,
    private readonly promoSets: PromoSets,
  ) {}

  /**
   * CSV text (RFC 4180) in the order in which the codes were given out. Memory holds one slice of it, and the next one
   * is read when the caller has consumed the last.
   *
   * @throws DomainError NOT_FOUND
   */
  async open(appId: string, id: string, asked: AskedAssignments): Promise<Readable> {
    const set = await this.promoSets.get(appId, id);
    return Readable.from(this.#lines(set, asked), { objectMode: false, highWaterMark: 65_536 });
  }

  async *#lines(set: PromoSetKey, asked: AskedAssignments): AsyncGenerator<string, void> {
    yield csvLine(CSV_COLUMNS);
    const parts = readParts({
      first: asked.afterOrdinal,
      limit: SLICE_SIZE,
      read: (afterOrdinal, limit) => this.assignments.list(set, { ...asked, afterOrdinal }, limit),
      placeOf: ({ ordinal }) => ordinal,
    });
    for await (const assigned of parts) {
      yield assigned
        .map(({ code, userId, messageId, claimedAt }) => csvLine([code, userId, messageId, claimedAt.toISOString()]))
        .join('');
    }
  }
}
