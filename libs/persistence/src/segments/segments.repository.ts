import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { hasInName, parameter, sql } from '../sql';
import { dueSegments } from '../due-work/due-rows';

/** Rules as a request writes them. At least one of the two is set. */
export interface SavedRules {
  target: JsonObject | null;
  segment: JsonObject | null;
}

/** A saved segment. */
export interface SavedSegment extends SavedRules {
  segmentId: string;
  name: string;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A segment with the last measured size of its present rules. Null: none yet. */
export interface MeasuredSegment extends SavedSegment {
  size: StoredSize | null;
  /** The last size of each day since the moment that a list asked for, oldest first. Null: it asked for none. */
  trend?: StoredSize[] | null;
}

/** A size inside JSON. */
type StoredSize = Omit<SegmentSize, 'measuredAt'> & { measuredAt: string };

/** A segment to be saved. `updatedAt` is that of one from another installation. */
export type NewSegment = Omit<SavedSegment, 'revision' | 'updatedAt'> & { updatedAt?: Date };

/** The new state of a segment. `revision`: the one that it must still have; undefined: any. */
type SegmentChange = Omit<SavedSegment, 'createdAt' | 'revision'> & { revision?: number | undefined };

/** A segment whose size is to be measured, and when another worker may measure it if this one does not finish. */
export interface DueSegment extends SavedRules {
  appId: string;
  segmentId: string;
  leasedUntil: Date;
}

type ClaimedSegment = Pick<DueSegment, 'appId' | 'segmentId' | 'leasedUntil'>;

/** How big a segment was at one moment. */
export interface SegmentSize {
  measuredAt: Date;
  /** All devices that match. */
  devices: number;
  /** The devices that a message would be sent to. */
  reachable: number;
  /** Null: counting them would have taken too long. */
  users: number | null;
}

/** The select list that gives a `SavedSegment`. */
const SEGMENT_COLUMNS = sql`segment_id AS "segmentId", name, target, segment, revision, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const SIZE = sql`json_build_object('measuredAt', z.measured_at, 'devices', z.devices, 'reachable', z.reachable, 'users', z.users)`;

/** The same with `MeasuredSegment.size`: one lookup by key in the sizes for each. */
const MEASURED_COLUMNS = sql`${SEGMENT_COLUMNS}, (
    SELECT ${SIZE}
    FROM segment_sizes z
    WHERE z.app_id = segments.app_id AND z.segment_id = segments.segment_id AND z.measured_at >= segments.updated_at
    ORDER BY z.measured_at DESC LIMIT 1
  ) AS size`;

/** How long sizes are kept by the hour, and how long by the day. */
const HOURS_KEPT = sql`interval '14 days'`;
const DAYS_KEPT = sql`interval '1 year'`;
/** `interval '1 day'` is 23 or 25 hours when the clock changes in the time zone of the connection. */
const DAY_OF_UTC = sql`interval '24 hours'`;

/** The saved segments of applications, and their measured sizes. */
@Injectable()
export class SegmentsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Saves a new segment. It locks the row of the application, so that inserts at the same time wait for each other and
   * there are never more than `most` segments.
   *
   * @returns null if the application has `most` segments already
   * @throws a unique violation if it has one with that name or id, also if it has `most`
   */
  async insert(appId: string, segment: NewSegment, most: number): Promise<SavedSegment | null> {
    const { name, ...rules } = segment;
    const segmentId = parameter(segment.segmentId, 'uuid');
    const app = parameter(appId);
    const createdAt = parameter(segment.createdAt, 'timestamptz');
    return inTransaction(this.database, async (executor) => {
      await rows(executor, sql`SELECT 1 FROM applications WHERE app_id = ${app} FOR NO KEY UPDATE`);
      const [made] = await rows<SavedSegment>(
        executor,
        sql`INSERT INTO segments (app_id, segment_id, name, target, segment, created_at, updated_at, measure_at)
            SELECT ${app}, ${segmentId}, ${name}, ${jsonOf(rules.target)}::jsonb, ${jsonOf(rules.segment)}::jsonb,
              ${createdAt}, ${segment.updatedAt ?? segment.createdAt}::timestamptz, ${createdAt}
            WHERE (SELECT count(*) FROM segments WHERE app_id = ${app}) < ${most}::int
              OR EXISTS (
                SELECT FROM segments WHERE app_id = ${app} AND (name = ${name} OR segment_id = ${segmentId})
              )
            RETURNING ${SEGMENT_COLUMNS}`,
      );
      return made ?? null;
    });
  }

  /**
   * Gives a segment another name and other rules, and makes it due for measuring at once.
   *
   * @returns null if there is none with that id, or it has another revision
   * @throws a unique violation if another one has that name
   */
  async update(appId: string, segment: SegmentChange): Promise<SavedSegment | null> {
    const updatedAt = parameter(segment.updatedAt);
    const [changed] = await rows<SavedSegment>(
      this.database,
      sql`UPDATE segments SET name = ${segment.name}, target = ${jsonOf(segment.target)}::jsonb,
            segment = ${jsonOf(segment.segment)}::jsonb, revision = revision + 1,
            updated_at = ${updatedAt}, measure_at = ${updatedAt}
          WHERE app_id = ${appId} AND segment_id = ${segment.segmentId}
            AND revision = coalesce(${segment.revision ?? null}::integer, revision)
          RETURNING ${SEGMENT_COLUMNS}`,
    );
    return changed ?? null;
  }

  /**
   * Deletes a segment with its sizes. Messages that were sent to it keep its rules. @returns false if it did not exist
   */
  async delete(appId: string, segmentId: string): Promise<boolean> {
    const gone = await rows(
      this.database,
      sql`DELETE FROM segments WHERE app_id = ${appId} AND segment_id = ${segmentId} RETURNING 1`,
    );
    return gone.length > 0;
  }

  /** The segment with this id, or null. */
  async find(appId: string, segmentId: string): Promise<MeasuredSegment | null> {
    const [found] = await rows<MeasuredSegment>(
      this.database,
      sql`SELECT ${MEASURED_COLUMNS} FROM segments WHERE app_id = ${appId} AND segment_id = ${segmentId}`,
    );
    return found ?? null;
  }

  /**
   * Lists an application's segments, newest first, at most `limit` before `beforeId`. Null: from the newest.
   *
   * @param page.name only those with this text in their name
   * @param page.trendSince also reads their daily sizes since then: some hundred rows for each segment
   */
  async list(
    appId: string,
    page: { name?: string | undefined; beforeId: string | null; limit: number; trendSince?: Date | null },
  ): Promise<MeasuredSegment[]> {
    const beforeId = parameter(page.beforeId, 'uuid');
    const since = parameter(page.trendSince ?? null, 'timestamptz');
    return rows<MeasuredSegment>(
      this.database,
      sql`SELECT ${MEASURED_COLUMNS}, CASE WHEN ${since} IS NOT NULL THEN coalesce((
            SELECT json_agg(${SIZE} ORDER BY z.measured_at) FROM (
              SELECT DISTINCT ON (date_trunc('day', measured_at, 'UTC')) measured_at, devices, reachable, users
              FROM segment_sizes d
              WHERE d.app_id = segments.app_id AND d.segment_id = segments.segment_id AND d.measured_at >= ${since}
              ORDER BY date_trunc('day', measured_at, 'UTC'), measured_at DESC
            ) z
          ), '[]') END AS trend
          FROM segments
          WHERE app_id = ${appId} AND (${beforeId} IS NULL OR segment_id < ${beforeId})
            AND ${hasInName(sql`name`, page.name)}
          ORDER BY segment_id DESC LIMIT ${page.limit}`,
    );
  }

  /**
   * Takes the segment, of any application, that has waited longest to be measured, until `leasedUntil`. Two callers at
   * once get different ones.
   *
   * @returns null if none is due
   */
  async claimDue(now: Date, leasedUntil: Date): Promise<DueSegment | null> {
    const [due] = await rows<DueSegment>(
      this.database,
      sql`UPDATE segments s SET measure_at = ${leasedUntil}
          FROM (
            SELECT app_id, segment_id ${dueSegments(now)}
            ORDER BY measure_at LIMIT 1 FOR UPDATE SKIP LOCKED
          ) due
          WHERE s.app_id = due.app_id AND s.segment_id = due.segment_id
          RETURNING s.app_id AS "appId", s.segment_id AS "segmentId", s.target, s.segment, s.measure_at AS "leasedUntil"`,
    );
    return due ?? null;
  }

  /**
   * Stores the measured size of a claimed segment, makes it due again at `nextAt`, and thins out older sizes: the last
   * size of each hour stays for two weeks, and the last one of each day for a year. Nothing is stored if the segment
   * was changed or deleted meanwhile, or if another worker measures it: then the size does not belong to its present
   * rules.
   *
   * @returns true if it was stored
   */
  async recordSize(claimed: ClaimedSegment, size: SegmentSize, nextAt: Date): Promise<boolean> {
    const appId = parameter(claimed.appId);
    const segmentId = parameter(claimed.segmentId);
    const measuredAt = parameter(size.measuredAt, 'timestamptz');
    const kept = await rows(
      this.database,
      sql`WITH claimed AS (
            UPDATE segments SET measure_at = ${nextAt}
            WHERE app_id = ${appId} AND segment_id = ${segmentId} AND measure_at = ${claimed.leasedUntil} RETURNING 1
          ), thinned AS (
            DELETE FROM segment_sizes s
            WHERE s.app_id = ${appId} AND s.segment_id = ${segmentId} AND EXISTS (SELECT 1 FROM claimed) AND (
              s.measured_at < ${measuredAt} - ${DAYS_KEPT}
              OR date_trunc('hour', s.measured_at, 'UTC') = date_trunc('hour', ${measuredAt}, 'UTC')
                AND s.measured_at < ${measuredAt}
              OR s.measured_at < ${measuredAt} - ${HOURS_KEPT} AND EXISTS (
                SELECT 1 FROM segment_sizes later
                WHERE later.app_id = ${appId} AND later.segment_id = ${segmentId} AND later.measured_at > s.measured_at
                  AND later.measured_at < date_trunc('day', s.measured_at, 'UTC') + ${DAY_OF_UTC}
              )
            )
          )
          INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users)
          SELECT ${appId}, ${segmentId}, ${measuredAt}, ${size.devices}, ${size.reachable}, ${size.users} FROM claimed
          ON CONFLICT (app_id, segment_id, measured_at) DO NOTHING RETURNING 1`,
    );
    return kept.length > 0;
  }

  /**
   * Makes all segments of an application due for measuring now. The size of one that is being measured at this moment is
   * not stored, since it may be a former one: the segment is measured again.
   */
  async measureSoon(appId: string, now: Date, executor: Executor = this.database): Promise<void> {
    const [app, due] = [parameter(appId), parameter(now, 'timestamptz')];
    // In one order, so that two transactions do not wait for each other.
    await rows(
      executor,
      sql`WITH others AS MATERIALIZED (
            SELECT segment_id FROM segments WHERE app_id = ${app} AND measure_at > ${due}
            ORDER BY segment_id FOR NO KEY UPDATE
          )
          UPDATE segments SET measure_at = ${due}
          WHERE app_id = ${app} AND segment_id IN (SELECT segment_id FROM others)`,
    );
  }

  /** Makes a claimed segment due again at `nextAt` that could not be measured, unless it was changed meanwhile. */
  async postpone({ appId, segmentId, leasedUntil }: ClaimedSegment, nextAt: Date): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE segments SET measure_at = ${nextAt}
          WHERE app_id = ${appId} AND segment_id = ${segmentId} AND measure_at = ${leasedUntil}`,
    );
  }

  /**
   * Lists the sizes of a segment in `[since, until)`, oldest first. Null: from the beginning, until now. There are some
   * hundreds: one for each hour or day.
   */
  async listSizes(
    appId: string,
    segmentId: string,
    { since, until }: { since: Date | null; until: Date | null },
  ): Promise<SegmentSize[]> {
    return rows<SegmentSize>(
      this.database,
      sql`SELECT measured_at AS "measuredAt", devices::float8 AS devices, reachable::float8 AS reachable,
            users::float8 AS users
          FROM segment_sizes
          WHERE app_id = ${appId} AND segment_id = ${segmentId}
            AND measured_at >= coalesce(${since}::timestamptz, '-infinity')
            AND measured_at < coalesce(${until}::timestamptz, 'infinity')
          ORDER BY measured_at`,
    );
  }
}

function jsonOf(rules: JsonObject | null): string | null {
  return rules && JSON.stringify(rules);
}
