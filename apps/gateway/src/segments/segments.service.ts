import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  makeCursor,
  type RulesRequest,
  type SegmentChangesRequest,
  type SegmentRequest,
  type SegmentResponse,
  type SegmentSizeResponse,
  type SegmentSizesQuery,
  type SegmentSizesResponse,
  type SegmentsQuery,
  type SegmentsResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid, trendBegin } from '@postrider/domain';
import { type MeasuredSegment, type SavedRules, type SavedSegment, SegmentsRepository } from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { TooMany, writeUnlessTaken } from '../http/errors/conflicts';

/** What a segment of another installation keeps here. */
type SegmentOrigin = Pick<SavedSegment, 'segmentId' | 'createdAt' | 'updatedAt'>;

const TAKEN = { message: 'A segment with this name exists', field: 'name' };
/** How many segments an application may save. */
const MOST_SEGMENTS = 1_000;

/** Saves segments. A message that was sent to one keeps its rules, whatever happens to the segment. */
@Injectable()
export class Segments {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly segments: SegmentsRepository,
  ) {}

  /**
   * @param origin of a segment from another installation
   * @throws DomainError CONFLICT if the name or the id is taken, or there are too many
   */
  async create(appId: string, { name, ...rules }: SegmentRequest, origin?: SegmentOrigin): Promise<SegmentResponse> {
    const createdAt = this.clock.now();
    const segment = { segmentId: newId(createdAt), createdAt, ...origin, name, ...columnsOf(rules) };
    const made = await writeUnlessTaken(TAKEN, () => this.segments.insert(appId, segment, MOST_SEGMENTS));
    if (!made) throw new TooMany(MOST_SEGMENTS, 'segments');
    return show(made);
  }

  /**
   * @throws DomainError NOT_FOUND; EDIT_CONFLICT with the present segment if it has another revision than the named one;
   *   CONFLICT if another segment has the name
   */
  async replace(appId: string, segmentId: string, changes: SegmentChangesRequest): Promise<SegmentResponse> {
    if (!isUuid(segmentId)) throw unknownSegment();
    const { name, revision, ...rules } = changes;
    const segment = { segmentId, name, revision, updatedAt: this.clock.now(), ...columnsOf(rules) };
    const changed = await writeUnlessTaken(TAKEN, () => this.segments.update(appId, segment));
    if (!changed) {
      const current = await this.find(appId, segmentId);
      throw new DomainError('EDIT_CONFLICT', 'Somebody else has changed the segment since', { current });
    }
    return show(changed);
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, segmentId: string): Promise<SegmentResponse> {
    const found = isUuid(segmentId) ? await this.segments.find(appId, segmentId) : null;
    if (!found) throw unknownSegment();
    return show(found, found.size);
  }

  /** Lists the segments of an application, newest first. With `trend` each has its sizes of the last 30 days. */
  async list(appId: string, { name, limit, cursor, trend }: SegmentsQuery): Promise<SegmentsResponse> {
    const trendSince = trend === true ? trendBegin(this.clock.now()) : null;
    const page = { name, beforeId: cursor ?? null, limit: limit + 1, trendSince };
    const found = await this.segments.list(appId, page);
    const { entries, nextCursor } = cutList(found, limit, (last) => makeCursor(last.segmentId));
    return {
      segments: entries.map((segment) => ({
        ...show(segment, segment.size),
        ...(segment.trend ? { trend: segment.trend.map(sizeOf) } : {}),
      })),
      nextCursor,
    };
  }

  /** The sizes of a segment over time, oldest first. @throws DomainError NOT_FOUND */
  async listSizes(appId: string, segmentId: string, { from, to }: SegmentSizesQuery): Promise<SegmentSizesResponse> {
    const { id } = await this.find(appId, segmentId);
    const span = { since: from ?? null, until: to ?? null };
    const sizes = await this.segments.listSizes(appId, id, span);
    return { id, sizes: sizes.map(({ measuredAt, ...counts }) => ({ at: measuredAt.toISOString(), ...counts })) };
  }

  /** Has the sizes of all segments of an application measured again, after its devices have changed. */
  measureSoon(appId: string): Promise<void> {
    return this.segments.measureSoon(appId, this.clock.now());
  }

  /** @throws DomainError NOT_FOUND */
  async remove(appId: string, segmentId: string): Promise<void> {
    if (!isUuid(segmentId) || !(await this.segments.delete(appId, segmentId))) throw unknownSegment();
  }
}

/** The answer for a segment that is unknown in this application. */
function unknownSegment(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such segment');
}

function columnsOf({ target, segment }: RulesRequest): SavedRules {
  return { target: target ?? null, segment: segment ?? null };
}

function show(saved: SavedSegment, measured: MeasuredSegment['size'] = null): SegmentResponse {
  const { segmentId, name, target, segment, revision, createdAt, updatedAt } = saved;
  return {
    id: segmentId,
    name,
    ...(target ? { target } : {}),
    ...(segment ? { segment } : {}),
    revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    size: measured && sizeOf(measured),
  };
}

function sizeOf({ measuredAt, ...counts }: NonNullable<MeasuredSegment['size']>): SegmentSizeResponse {
  return { at: new Date(measuredAt).toISOString(), ...counts };
}
