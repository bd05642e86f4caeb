import { randomUUID } from 'node:crypto';
import {
  type Database,
  PROMO_CHUNK_BYTES,
  type PromoSetKey,
  PromoUploadsRepository,
  rows,
} from '@postrider/persistence';

/** Stores a file as the gateway would. @param trackId '' for the global set */
export async function uploadFile(
  database: Database,
  { appId, trackId, file }: { appId: string; trackId: string; file: Buffer | string },
): Promise<PromoSetKey> {
  const key = { appId, setId: randomUUID() };
  const now = new Date();
  const bytes = Buffer.from(file);
  const uploads = new PromoUploadsRepository(database);
  await uploads.begin(key, { trackId, createdAt: now, giveUpAt: now, most: 100 });
  for (let number = 0; number * PROMO_CHUNK_BYTES < bytes.length; number++) {
    const content = bytes.subarray(number * PROMO_CHUNK_BYTES, (number + 1) * PROMO_CHUNK_BYTES);
    await uploads.keepPiece(key, { number, content });
  }
  await uploads.startImport(key, now);
  return key;
}

/** The codes of a set, in the order in which they would be given. */
export async function codesOf(database: Database, { appId, setId }: PromoSetKey): Promise<string[]> {
  const found = await rows<{ code: string }>(
    database,
    `SELECT l.code FROM promo_codes b CROSS JOIN LATERAL string_to_table(b.codes, E'\n') WITH ORDINALITY AS l (code, place)
     WHERE b.app_id = $1 AND b.set_id = $2 ORDER BY b.number, l.place`,
    [appId, setId],
  );
  return found.map(({ code }) => code);
}

/** The set in force of a source, or null. */
export async function setInForce(database: Database, appId: string, trackId: string): Promise<string | null> {
  const found = await rows<{ setId: string }>(
    database,
    `SELECT set_id AS "setId" FROM promo_sets WHERE app_id = $1 AND track_id = $2 AND state = 'in_force'`,
    [appId, trackId],
  );
  return found[0]?.setId ?? null;
}
