import { Inject, Injectable } from '@nestjs/common';
import { countMatches, countUsers, type RulesSelection } from '@postrider/audience';
import { type Clock, InvalidRequest, USUAL_CHANNEL } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  type DueSegment,
  dueSegments,
  readInBackground,
  type SegmentSize,
  SegmentsRepository,
  LOCK_IDS,
  type Sql,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { setTimeout as pause } from 'node:timers/promises';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** No count holds up a core of the database longer; nor a worker that is to end. */
const LIMIT_MS = 15_000;
/** Users are counted only where devices were counted quickly: that takes several times as long. */
const QUICK_MS = 3_000;
const USERS_LIMIT_MS = 10_000;
/** A segment whose measurement was lost with a worker is due again after this time. */
const LEASE_MS = 3 * LIMIT_MS;

/** Measures saved segments: how many devices and users belong to one at the moment. */
@Injectable()
export class MeasureSegmentService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly segments: SegmentsRepository,
  ) {}

  /** `FROM` and `WHERE` of the segments that are due. */
  due(): Sql {
    return dueSegments(this.clock.now());
  }

  /**
   * Measures the segment that has been due longest and keeps its size. One that cannot be measured, or not in time, is tried
   * again with its next turn. Safe to run from several processes at once.
   *
   * @returns how long it took, in milliseconds; null: none was due
   */
  async measureOne(): Promise<number | null> {
    const now = this.clock.now();
    const due = await this.segments.claimDue(now, new Date(now.getTime() + LEASE_MS));
    if (!due) return null;
    const { appId, segmentId } = due;
    const startedAt = performance.now();
    const size = await this.#measure(due, now);
    const nextAt = new Date(now.getTime() + this.config.segmentSizesSeconds * 1_000);
    const kept = size !== null && (await this.segments.recordSize(due, size, nextAt));
    if (size === null) await this.segments.postpone(due, nextAt);
    const durationMs = performance.now() - startedAt;
    this.logger.info({ appId, segmentId, devices: size?.devices, kept, durationMs: Math.round(durationMs) }, 'segment.measured'); // prettier-ignore
    return durationMs;
  }

  async #measure({ appId, segmentId, target, segment }: DueSegment, now: Date): Promise<SegmentSize | null> {
    const who = { kind: 'rules' as const, ...(target ? { target } : {}), ...(segment ? { segment } : {}) };
    const selection: RulesSelection = { appId, acceptedAt: now, channel: USUAL_CHANNEL, reach: 'any', who };
    const startedAt = performance.now();
    try {
      const counted = await readInBackground(this.database, LIMIT_MS, (executor) => countMatches(executor, selection));
      if (counted === null) return null;
      const isQuick = performance.now() - startedAt < QUICK_MS;
      const users = isQuick
        ? await readInBackground(this.database, USERS_LIMIT_MS, (executor) => countUsers(executor, selection))
        : null;
      return { measuredAt: now, devices: counted.devices, reachable: counted.count, users };
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      this.logger.warn({ appId, segmentId, err: error }, 'segment.unreadable');
      return null;
    }
  }
}

/** A segment that was just saved is measured within this time, when nothing else is. */
const LOOK_MS = 2_000;
/** After a count the database has this many times as long for everything else: a fifth of one core, at most. */
const REST = 4;

/**
 * Keeps the sizes of saved segments over time. Measures one segment at a time, the one that has been due longest, and then
 * pauses, so that campaigns do not wait for it. If there are more segments than it has time for, each is measured less often.
 * Runs every two seconds; the pause is a part of the run, because no other worker may measure meanwhile.
 */
@Injectable()
export class MeasureSegments implements MaintenanceTask {
  readonly name = 'measure-segments';
  readonly intervalMs = LOOK_MS;
  readonly lock = LOCK_IDS.measureSegments;

  constructor(private readonly measureSegment: MeasureSegmentService) {}

  due(): Sql {
    return this.measureSegment.due();
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const tookMs = await this.measureSegment.measureOne();
    if (tookMs === null) return false;
    await pause(tookMs * REST, undefined, { signal }).catch(() => undefined);
    return true;
  }
}
