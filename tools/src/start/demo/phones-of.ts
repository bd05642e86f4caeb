import { type Executor, rows, sql } from '@postrider/persistence';

/** A phone as the simulator knows it. */
export interface Phone {
  token: string;
  installationId: string;
  userId: string;
}

/** The phones of an application that a vendor can reach, at most `limit`. */
export async function phonesOf(executor: Executor, appId: string, limit: number): Promise<Phone[]> {
  return rows<Phone>(
    executor,
    sql`SELECT CASE push_type WHEN 'webpush' THEN substring(token from '"endpoint":"[^"]*/([^"/]*)"') ELSE token END AS token,
          installation_id AS "installationId", user_id AS "userId"
        FROM installations WHERE app_id = ${appId} AND usable_vendor IS NOT NULL ORDER BY id LIMIT ${limit}`,
  );
}
