import { rows } from '@postrider/persistence';
import { SecretBox } from '@postrider/platform';
import type { TestGateway } from '../testing/test-gateway';
import { IDENTITY_KEY, KNOWN, trackerOf } from './fill-in';

/** The user's installation and all else have one age, which no clock decides. */
const THEN = '2026-01-01T00:00:00Z';

const STATEMENTS = [
  `INSERT INTO applications (app_id, name, identity_key_sealed)
     SELECT app_id, app_id, sealed FROM unnest($1::text[], $2::bytea[]) AS given (app_id, sealed)`,
  `INSERT INTO users (app_id, user_id, tags, attributes) SELECT app_id, 'ada', '{a}', '{"phone":"+31612345678"}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO installations (app_id, installation_id, user_id, device_type, push_type, token, tags, channels, launch_time, install_date)
     SELECT app_id, '${KNOWN.installation}', 'ada', 'android', 'fcm', 'seeded', '{a}', '{public/sport}', '${THEN}', '${THEN}'
     FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed)
     SELECT app_id, 'fcm', '{}', '' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO campaigns (app_id, track_id, campaign_id) SELECT app_id, 't', '${KNOWN.promoSet}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO segments (app_id, segment_id, name, target)
     SELECT app_id, '${KNOWN.segment}', 'seeded', '{"deviceType":"android"}' FROM unnest($1::text[]) AS app_id`,
  `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at, in_force_at)
     SELECT app_id, '${KNOWN.promoSet}', 't', 'in_force', 10, 10, '${THEN}', '${THEN}' FROM unnest($1::text[]) AS app_id`,
];
const TRACKERS = `INSERT INTO trackers (app_id, tracker_id, name, destination, created_at, updated_at)
  SELECT app_id, tracker_id, 'seeded', 'https://shop.example/', '${THEN}', '${THEN}'
  FROM unnest($1::text[], $2::text[]) AS given (app_id, tracker_id)`;

/** Makes applications that are alike: each with a user, their device, a vendor, a campaign, a segment, a promo set and a link. */
export async function seedApplications({ app, database }: TestGateway, appIds: readonly string[]): Promise<void> {
  const box = app.get(SecretBox);
  const [applications = '', ...others] = STATEMENTS;
  await rows(database, applications, [appIds, appIds.map((appId) => box.seal(IDENTITY_KEY, `identity:${appId}`))]);
  for (const statement of others) await rows(database, statement, [appIds]);
  await rows(database, TRACKERS, [appIds, appIds.map(trackerOf)]);
}
