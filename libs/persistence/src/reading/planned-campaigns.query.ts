import { type Executor, rows } from '../database/executor';

/** A campaign that was made ahead of its first send. */
export interface PlannedCampaign {
  campaignId: string;
  trackId: string;
  name: string | null;
  createdAt: Date;
}

const COLUMNS = `campaign_id AS "campaignId", track_id AS "trackId", name, created_at AS "createdAt"`;

/** Makes a campaign ahead of its first send. @returns null when the application has one with that tracking id */
export async function insertCampaign(
  executor: Executor,
  appId: string,
  { campaignId, trackId, name, createdAt }: PlannedCampaign,
): Promise<PlannedCampaign | null> {
  const made = await rows<PlannedCampaign>(
    executor,
    `INSERT INTO campaigns (app_id, track_id, campaign_id, name, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (app_id, track_id) DO NOTHING RETURNING ${COLUMNS}`,
    [appId, trackId, campaignId, name, createdAt],
  );
  return made[0] ?? null;
}

/** The campaign with this id, or null. */
export async function findPlannedCampaign(
  executor: Executor,
  appId: string,
  campaignId: string,
): Promise<PlannedCampaign | null> {
  const found = await rows<PlannedCampaign>(
    executor,
    `SELECT ${COLUMNS} FROM campaigns WHERE app_id = $1 AND campaign_id = $2`,
    [appId, campaignId],
  );
  return found[0] ?? null;
}

/** Campaigns that nothing was sent for yet, newest first, at most `limit` between `beforeId` and `afterId`. */
export async function listPlannedCampaigns(
  executor: Executor,
  appId: string,
  filter: { trackId: string | null; beforeId: string | null; afterId: string | null },
  limit: number,
): Promise<PlannedCampaign[]> {
  return rows<PlannedCampaign>(
    executor,
    `SELECT ${COLUMNS} FROM campaigns c
     WHERE c.app_id = $1 AND ($2::text IS NULL OR c.track_id = $2) AND ($3::uuid IS NULL OR c.campaign_id < $3)
       AND ($5::uuid IS NULL OR c.campaign_id > $5)
       AND NOT EXISTS (
         SELECT 1 FROM messages m WHERE m.app_id = $1 AND m.track_id = c.track_id AND m.is_campaign
       )
     ORDER BY c.campaign_id DESC LIMIT $4`,
    [appId, filter.trackId, filter.beforeId, limit, filter.afterId],
  );
}
