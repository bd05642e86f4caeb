import { type DeliveryVendor, LOCALE_ATTRIBUTE } from '@postrider/domain';
import { type Executor, QUERY_CANCELLED, rows, sql, sqlState } from '@postrider/persistence';
import type { AudienceSelection } from './audience-selection';
import type { SampledDevice } from './read-audiences';
import { compileAudience } from './routing-sql';

/** Reachable devices of an audience that have the same locale, user's locale, type and vendor. */
interface LocaleGroup {
  /** The locale that the devices report; null: none. */
  locale: string | null;
  /** The attribute `locale` of their users; null: none. It may be any JSON. */
  userLocale: unknown;
  deviceType: string | null;
  devices: number;
  /** One of them. */
  example: SampledDevice;
}

/** Locales are free text. An application whose devices have made up more than this gets no count. */
const MOST_GROUPS = 5_000;

/**
 * Counts the reachable devices of an audience by everything that decides which language of a message they get, with an
 * example of each. Reads only.
 *
 * @param executor a transaction
 * @param limitMs the most time that it may take, in milliseconds
 * @returns the largest group first; null if it would take longer, or if there are too many locales
 */
export async function countByLocale(
  executor: Executor,
  selection: AudienceSelection,
  limitMs: number,
): Promise<LocaleGroup[] | null> {
  await rows(executor, 'SAVEPOINT locales');
  try {
    await rows(executor, sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`);
    const groups = await readGroups(executor, selection);
    return groups.length > MOST_GROUPS ? null : groups;
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELLED) return null;
    throw error;
  } finally {
    // Nothing was written; this also brings back the former time limit.
    await rows(executor, 'ROLLBACK TO SAVEPOINT locales');
  }
}

async function readGroups(executor: Executor, selection: AudienceSelection): Promise<LocaleGroup[]> {
  const { app, routing, membership } = compileAudience(selection);
  const groups = await rows<Omit<LocaleGroup, 'example'> & SampledDevice & { vendor: DeliveryVendor }>(
    executor,
    sql`WITH groups AS MATERIALIZED (
       SELECT i.locale, owner.attributes -> ${LOCALE_ATTRIBUTE} AS user_locale, i.device_type, ${routing.vendor} AS vendor,
         count(*)::integer AS devices, min(i.id) AS example
       FROM installations i ${routing.join} ${membership.join}
         LEFT JOIN users owner ON owner.app_id = i.app_id AND owner.user_id = i.user_id
       WHERE ${membership.condition} AND ${routing.isReachable}
       GROUP BY 1, 2, 3, 4
       ORDER BY devices DESC, example
       LIMIT ${MOST_GROUPS + 1}
     )
     SELECT g.locale, g.user_locale AS "userLocale", g.device_type AS "deviceType", g.devices, g.vendor,
       e.installation_id AS "installationId", e.user_id AS "userId"
     FROM groups g CROSS JOIN LATERAL (
       SELECT i.installation_id, i.user_id FROM installations i WHERE i.app_id = ${app} AND i.id = g.example OFFSET 0
     ) e
     ORDER BY g.devices DESC, g.example`,
  );
  return groups.map(({ installationId, userId, vendor, ...group }) => ({
    ...group,
    example: { installationId, userId, vendor },
  }));
}
