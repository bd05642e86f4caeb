import type { Client } from 'pg';

/** The endings of deliveries: their share, and their state. Devices that no vendor reaches are skipped. */
const OUTCOMES = `(VALUES
  (0.00, 0.62, 'delivered', 3, NULL, NULL),
  (0.62, 0.75, 'sent', 2, NULL, NULL),
  (0.75, 0.84, 'shown', 4, NULL, NULL),
  (0.84, 0.92, 'opened', 6, NULL, NULL),
  (0.92, 0.93, 'dismissed', 5, NULL, NULL),
  (0.93, 0.96, 'failed', 1, 'UNREGISTERED', 'The vendor says that the app was removed'),
  (0.96, 0.98, 'failed', 1, 'SENDER_ID_MISMATCH', 'The token belongs to another sender'),
  (0.98, 1.00, 'expired', 1, NULL, 'Its time was over before the vendor took it')
) AS outcome (low, high, state, rank, error_code, reason)`;

/** `message` and `device` are the sources of the rows. */
const INSERT = (source: string): string => `
  INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason, attempt,
    created_at, sent_at, delivered_at, shown_at, opened_at, updated_at)
  SELECT $1, message_id, device_id, CASE WHEN vendor IS NULL THEN 'skipped' ELSE outcome.state END,
    CASE WHEN vendor IS NULL THEN 1 ELSE outcome.rank END, vendor,
    CASE WHEN vendor IS NOT NULL AND outcome.rank > 1 THEN 'projects/bench/messages/' || device_id END,
    CASE WHEN vendor IS NOT NULL THEN outcome.error_code END,
    CASE WHEN vendor IS NULL THEN 'No vendor that the application uses reaches it' ELSE outcome.reason END,
    CASE WHEN vendor IS NULL THEN 0 ELSE 1 END, at, CASE WHEN outcome.rank > 1 THEN at END,
    CASE WHEN outcome.rank > 2 THEN at END, CASE WHEN outcome.rank > 3 THEN at END,
    CASE WHEN outcome.state = 'opened' THEN at END, at
  FROM (${source} OFFSET 0) AS drawn
  JOIN ${OUTCOMES} ON drawn.luck >= outcome.low AND drawn.luck < outcome.high`;

const VENDOR = `CASE WHEN i.usable_vendor IN ('fcm', 'apns') THEN i.usable_vendor END AS vendor`;

/** The deliveries of every campaign that is done: as many devices as it counts, one stretch of them. */
const OF_CAMPAIGNS = `
  SELECT m.id AS message_id, m.accepted_at AS at, i.id AS device_id, ${VENDOR}, random() AS luck
  FROM messages m
  CROSS JOIN LATERAL (
    SELECT id, usable_vendor FROM installations
    WHERE app_id = $1 AND id > $2 + (hashtext(m.id::text) & 2147483647) % greatest(1, $3::bigint - m.count)
    ORDER BY id LIMIT m.count
  ) i
  WHERE m.app_id = $1 AND m.is_campaign AND m.status = 'done'`;

const OF_USERS = `
  SELECT m.id AS message_id, m.accepted_at AS at, i.id AS device_id, ${VENDOR}, random() AS luck
  FROM messages m JOIN installations i ON i.app_id = $1 AND i.user_id = m.user_ids[1]
  WHERE m.app_id = $1 AND NOT m.is_campaign`;

/** The deliveries of the campaign under way: the first two fifths of the devices. */
const OF_RUNNING = `
  SELECT m.id AS message_id, m.accepted_at AS at, i.id AS device_id, ${VENDOR}, random() * 0.75 AS luck
  FROM messages m JOIN installations i ON i.app_id = $1 AND i.id <= $2::bigint + $3::bigint * 2 / 5
  WHERE m.app_id = $1 AND m.is_campaign AND m.status = 'accepted'`;

/** Writes the result of every message on every device. Takes minutes. */
export async function seedDeliveries(client: Client, appId: string, devices: number): Promise<void> {
  const { rows } = await client.query<{ below: string }>(
    'SELECT min(id) - 1 AS below FROM installations WHERE app_id = $1',
    [appId],
  );
  const below = Number(rows[0]?.below ?? 0);
  await client.query(INSERT(OF_CAMPAIGNS), [appId, below, devices]);
  await client.query(INSERT(OF_USERS), [appId]);
  await client.query(INSERT(OF_RUNNING), [appId, below, devices]);
  await client.query(PAGES, [appId]);
  await client.query(OPEN_PAGES, [appId, below, devices]);
  await client.query('VACUUM ANALYZE');
}

const PAGE_COLUMNS = `(app_id, message_id, id, vendor, lane, device_ids, state, attempt, fence, first_attempt_at, wake_at,
  created_at, finished_at)`;

/** The pages of everything that was sent, 500 devices of one vendor each. */
const PAGES = `
  INSERT INTO pages ${PAGE_COLUMNS}
  SELECT $1, message_id, gen_random_uuid(), vendor, 'campaign', array_agg(device_id), 'finished', 1, 1, min(created_at), NULL,
    min(created_at), min(created_at) + interval '1 second' * count(*) / 100
  FROM (
    SELECT message_id, vendor, device_id, created_at,
      row_number() OVER (PARTITION BY message_id, vendor ORDER BY device_id) / 500 AS page
    FROM deliveries WHERE app_id = $1 AND vendor IS NOT NULL
  ) d GROUP BY message_id, vendor, page`;

/** The last three fifths of the campaign under way: twenty pages are being sent, every tenth is tried again later. */
const OPEN_PAGES = `
  INSERT INTO pages ${PAGE_COLUMNS}
  SELECT $1, message_id, gen_random_uuid(), vendor, 'campaign', device_ids,
    CASE WHEN n <= 20 THEN 'running' ELSE 'waiting' END, CASE WHEN n % 10 = 0 THEN 2 ELSE 1 END,
    CASE WHEN n <= 20 THEN 1 ELSE 0 END, CASE WHEN n <= 20 THEN now() END, now() + interval '1 day', now(), NULL
  FROM (
    SELECT message_id, vendor, array_agg(id) AS device_ids, row_number() OVER (ORDER BY min(id)) AS n
    FROM (
      SELECT m.id AS message_id, i.usable_vendor AS vendor, i.id,
        row_number() OVER (PARTITION BY i.usable_vendor ORDER BY i.id) / 500 AS page
      FROM messages m JOIN installations i ON i.app_id = $1 AND i.id > $2::bigint + $3::bigint * 2 / 5
      WHERE m.app_id = $1 AND m.is_campaign AND m.status = 'accepted' AND i.usable_vendor IN ('fcm', 'apns')
    ) d GROUP BY message_id, vendor, page
  ) p`;
