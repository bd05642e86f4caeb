import { randomUUID } from 'node:crypto';
import { type Database, rows } from '@postrider/persistence';

/** Makes an application. */
export async function createApplication(database: Database, appId: string): Promise<void> {
  await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '')`, [appId]);
}

/** Puts codes in force as an import would, the present set of the source replaced. @param trackId '' for the global set */
export async function putInForce(
  database: Database,
  { appId, trackId, codes }: { appId: string; trackId: string; codes: readonly string[] },
): Promise<string> {
  const setId = randomUUID();
  await database.transaction(async (manager) => {
    await manager.query(
      `UPDATE promo_sets SET state = 'replaced' WHERE app_id = $1 AND track_id = $2 AND state = 'in_force'`,
      [appId, trackId],
    );
    await manager.query(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at)
       VALUES ($1, $2, $3, 'in_force', $4, $4, now())`,
      [appId, setId, trackId, codes.length],
    );
    await manager.query(
      `INSERT INTO promo_codes (app_id, set_id, number, codes)
       SELECT $1, $2, 3 * ((place - 1) / 5), string_agg(code, E'\\n' ORDER BY place)
       FROM unnest($3::text[]) WITH ORDINALITY AS c (code, place) GROUP BY (place - 1) / 5`,
      [appId, setId, codes],
    );
  });
  return setId;
}
