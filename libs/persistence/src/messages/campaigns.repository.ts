import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { parameter, sql } from '../sql';

/** A campaign that was made ahead of its first send. */
export interface PlannedCampaign {
  campaignId: string;
  trackId: string;
  name: string | null;
  createdAt: Date;
}

/** Which campaigns without a send are listed; null: no matter which. */
export interface PlannedCampaignFilter {
  trackId: string | null;
  beforeId: string | null;
  afterId: string | null;
}

const COLUMNS = sql`campaign_id AS "campaignId", track_id AS "trackId", name, created_at AS "createdAt"`;

/** Campaigns that were made ahead of their first send. Once something was sent, the messages say what there is to know. */
@Injectable()
export class CampaignsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Makes a campaign ahead of its first send. @returns null when the application has one with that tracking id */
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

  /** Campaigns that nothing was sent for yet, newest first, at most `limit` between `beforeId` and `afterId`. */
  async listUnsent(appId: string, filter: PlannedCampaignFilter, limit: number): Promise<PlannedCampaign[]> {
    const [app, trackId] = [parameter(appId), parameter(filter.trackId)];
    const [beforeId, afterId] = [parameter(filter.beforeId), parameter(filter.afterId)];
    return rows<PlannedCampaign>(
      this.database,
      sql`SELECT ${COLUMNS} FROM campaigns c
          WHERE c.app_id = ${app} AND (${trackId}::text IS NULL OR c.track_id = ${trackId})
            AND (${beforeId}::uuid IS NULL OR c.campaign_id < ${beforeId})
            AND (${afterId}::uuid IS NULL OR c.campaign_id > ${afterId})
            AND NOT EXISTS (
              SELECT 1 FROM messages m WHERE m.app_id = ${app} AND m.track_id = c.track_id AND m.is_campaign
            )
          ORDER BY c.campaign_id DESC LIMIT ${limit}`,
    );
  }
}
