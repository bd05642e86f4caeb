import { Inject, Injectable } from '@nestjs/common';
import {
  askedAssignments,
  makeCursor,
  type PromoAssignmentsQuery,
  type PromoAssignmentsResponse,
  type PromoJobResponse,
  type PromoSetChangeRequest,
  type PromoSetResponse,
  type PromoSetsQuery,
  type PromoSetsResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import { PromoAssignmentsRepository, type PromoSet, PromoSetsRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { LowStockThreshold } from '@postrider/promo';
import { showPromoAssignment, showPromoJob, showPromoSet } from './show-promo-set';

/** Reads promo sets, uploads, and who was given which code. */
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
    const sets = found.slice(0, limit);
    const last = sets.at(-1);
    return { sets: sets.map(showPromoSet), nextCursor: found.length > limit && last ? makeCursor(last.setId) : null };
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

  /** Gives a set another threshold. @throws DomainError NOT_FOUND, CONFLICT when it is no longer in force */
  async change(appId: string, id: string, { lowStockAt }: PromoSetChangeRequest): Promise<PromoSetResponse> {
    const { setId } = await this.get(appId, id);
    if (!(await this.threshold.change({ appId, setId }, { lowStockAt, now: this.clock.now() }))) {
      throw new DomainError('CONFLICT', 'This promo set is no longer in force');
    }
    return this.find(appId, setId);
  }

  /** Who was given the codes of a set, in the order in which they were given. @throws DomainError NOT_FOUND */
  async listAssignments(appId: string, id: string, query: PromoAssignmentsQuery): Promise<PromoAssignmentsResponse> {
    const { limit } = query;
    const set = await this.get(appId, id);
    const found = await this.assignments.list(set, askedAssignments(query), limit + 1);
    const assignments = found.slice(0, limit);
    const last = assignments.at(-1);
    return {
      assignments: assignments.map(showPromoAssignment),
      nextCursor: found.length > limit && last ? makeCursor(String(last.ordinal)) : null,
    };
  }

  /** How far an upload is. @throws DomainError NOT_FOUND */
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
