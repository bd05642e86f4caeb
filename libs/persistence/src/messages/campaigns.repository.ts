import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { rowsPlannedOnce } from '../database/prepared-rows';
import { parameter, sql } from '../sql';

/** A campaign that was made ahead of its first send. */
export interface PlannedCampaign {
  campaignId: string;
  trackId: string;
  name: string | null;
  createdAt: Date;
}

/** Which campaigns without a send are listed. Null: no filter. */
interface PlannedCampaignFilter {
  trackId: string | null;
  beforeId: string | null;
  afterId: string | null;
}

/** Most planned campaigns may have been sent since. */
const MOST_AT_ONCE = 1_000;

const COLUMNS = sql`campaign_id AS "campaignId", track_id AS "trackId", name, created_at AS "createdAt"`;

/** Campaigns that were planned before their first send. Afterwards their messages have all the information. */
@Injectable()
export class CampaignsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Makes a campaign before its first send. @returns null if the application has one with that tracking id */
  async insert(appId: string, campaign: PlannedCampaign): Promise<PlannedCampaign | null> {
    const { campaignId, trackId, name, createdAt } = campaign;
    const [made] = await rows<PlannedCampaign>(
      this.database,
      sql`INSERT INTO campaigns (app_id, track_id, campaign_id, name, created_at)
          VALUES (${appId}, ${trackId}, ${campaignId}, ${name}, ${createdAt})
          ON CONFLICT (app_id, track_id) DO NOTHING RETURNING ${COLUMNS}`,
    );
    return made ?? null;
  }

  /** The campaign with this id, or null. */
  async find(executor: Executor, appId: string, campaignId: string): Promise<PlannedCampaign | null> {
    const [found] = await rows<PlannedCampaign>(
      executor,
      sql`SELECT ${COLUMNS} FROM campaigns WHERE app_id = ${appId} AND campaign_id = ${campaignId}`,
    );
    return found ?? null;
  }

  /** The campaign that was planned with this tracking id, or null. */
  async findPlanned(executor: Executor, appId: string, trackId: string): Promise<PlannedCampaign | null> {
    const [found] = await rows<PlannedCampaign>(
      executor,
      sql`SELECT ${COLUMNS} FROM campaigns WHERE app_id = ${appId} AND track_id = ${trackId}`,
    );
    return found ?? null;
  }

  /** The id of the newest message that was sent to an audience with this tracking id, or null. */
  async findNewestSend(appId: string, trackId: string): Promise<string | null> {
    const [newest] = await rowsPlannedOnce<{ id: string }>(
      this.database,
      sql`SELECT id FROM messages WHERE app_id = ${appId} AND track_id = ${trackId} AND is_campaign ORDER BY id DESC LIMIT 1`,
    );
    return newest?.id ?? null;
  }

  /** Lists campaigns for which nothing was sent yet, newest first, at most `limit` between `beforeId` and `afterId`. */
  async listUnsent(appId: string, filter: PlannedCampaignFilter, limit: number): Promise<PlannedCampaign[]> {
    const unsent: PlannedCampaign[] = [];
    let atOnce = limit;
    for (let { beforeId } = filter; ; atOnce = Math.min(atOnce * 4, MOST_AT_ONCE)) {
      const planned = await this.#list(appId, { ...filter, beforeId }, atOnce);
      const sent = await this.#findSent(appId, planned);
      unsent.push(...planned.filter(({ trackId }) => !sent.has(trackId)));
      const last = planned.at(-1);
      if (unsent.length >= limit || planned.length < atOnce || !last) return unsent.slice(0, limit);
      beforeId = last.campaignId;
    }
  }

  #list(
    appId: string,
    { trackId, beforeId, afterId }: PlannedCampaignFilter,
    limit: number,
  ): Promise<PlannedCampaign[]> {
    const [track, before, after] = [parameter(trackId), parameter(beforeId), parameter(afterId)];
    return rows<PlannedCampaign>(
      this.database,
      sql`SELECT ${COLUMNS} FROM campaigns c
          WHERE c.app_id = ${appId} AND (${track}::text IS NULL OR c.track_id = ${track})
            AND (${before}::uuid IS NULL OR c.campaign_id < ${before}) AND (${after}::uuid IS NULL OR c.campaign_id > ${after})
          ORDER BY c.campaign_id DESC LIMIT ${limit}`,
    );
  }

  /**
   * Finds the tracking ids in `planned` for which something was sent. A scalar subquery, so that each is looked up by
   * itself.
   */
  async #findSent(appId: string, planned: readonly PlannedCampaign[]): Promise<Set<string>> {
    if (planned.length === 0) return new Set();
    const trackIds = planned.map(({ trackId }) => trackId);
    const found = await rowsPlannedOnce<{ trackId: string }>(
      this.database,
      sql`SELECT asked.track_id AS "trackId" FROM unnest(${trackIds}::text[]) AS asked (track_id)
          WHERE (
            SELECT true FROM messages m WHERE m.app_id = ${appId} AND m.track_id = asked.track_id AND m.is_campaign LIMIT 1
          )`,
    );
    return new Set(found.map(({ trackId }) => trackId));
  }
}
