import { type DeliveryVendor, groupBy, inParts } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import { type AudienceSelection, isOnDefaultChannel } from './audience-selection';
import { compileAudience, RoutingSql } from './routing-sql';

/** Devices of an audience that are reached the same way and are of the same type. */
export interface AudienceGroup {
  vendor: DeliveryVendor;
  deviceType: string | null;
  devices: number;
}

type PlacedGroup = AudienceGroup & { place: number };

/** The most audiences in one statement: it keeps others waiting for a connection for a few milliseconds only. */
const MOST_SELECTIONS = 500;

/**
 * Counts the reachable devices of audiences of one application by vendor and type. Audiences of named users share
 * statements; of other audiences, equal ones are counted once. Reads only.
 * @returns the groups of each audience, in the order of `selections`
 */
export async function groupAudiences(
  executor: Executor,
  selections: readonly AudienceSelection[],
): Promise<AudienceGroup[][]> {
  const groups: AudienceGroup[][] = selections.map(() => []);
  const kinds = groupBy(selections.keys(), (place) => kindOf(selections[place] as AudienceSelection));
  for (const places of kinds.values()) {
    const selection = selections[places[0]] as AudienceSelection;
    if (selection.who.kind !== 'users') {
      const found = await groupOne(executor, selection);
      for (const place of places) groups[place] = found;
    } else {
      for (const { place, ...group } of await groupNamed(executor, selections, places)) groups[place]?.push(group);
    }
  }
  return groups;
}

/**
 * Returns a key. Audiences of named users with the same key share statements; other audiences with the same key are
 * equal.
 */
function kindOf({ reach, channel, who, split }: AudienceSelection): string {
  if (who.kind === 'users') return JSON.stringify([reach, isOnDefaultChannel(channel)]);
  return JSON.stringify([reach, channel, who, split]);
}

async function groupOne(executor: Executor, selection: AudienceSelection): Promise<AudienceGroup[]> {
  const { routing, membership } = compileAudience(selection);
  return rows<AudienceGroup>(
    executor,
    sql`SELECT * FROM (
       SELECT ${routing.vendor} AS vendor, i.device_type AS "deviceType", count(*)::integer AS devices
       FROM installations i ${routing.join} ${membership.join}
       WHERE ${membership.condition}
       GROUP BY 1, 2
     ) found WHERE vendor IS NOT NULL`,
  );
}

async function groupNamed(
  executor: Executor,
  selections: readonly AudienceSelection[],
  places: readonly number[],
): Promise<PlacedGroup[]> {
  const groups: PlacedGroup[] = [];
  for (const some of inParts(places, MOST_SELECTIONS)) groups.push(...(await groupBatch(executor, selections, some)));
  return groups;
}

/** Finds the devices of each audience by key, in a subquery that no statistics can turn into a scan of all devices. */
async function groupBatch(
  executor: Executor,
  selections: readonly AudienceSelection[],
  places: readonly number[],
): Promise<PlacedGroup[]> {
  const { appId, reach, channel } = selections[places[0] as number] as AudienceSelection;
  const named = places.map((place) => {
    const { who, channel: own } = selections[place] as AudienceSelection;
    return { place, channel: own, user_ids: who.kind === 'users' ? who.userIds : [] };
  });
  const app = parameter(appId);
  const routing = new RoutingSql(reach, app, null);
  const membership = isOnDefaultChannel(channel) ? sql`` : sql`AND i.channels @> ARRAY[s.channel]`;
  return rows<PlacedGroup>(
    executor,
    sql`SELECT s.place, device.vendor, device.device_type AS "deviceType", count(*)::integer AS devices
     FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS s (place integer, channel text, user_ids text[]) CROSS JOIN LATERAL (
       SELECT ${routing.vendor} AS vendor, i.device_type
       FROM installations i ${routing.join}
       WHERE i.app_id = ${app} AND i.user_id = ANY (s.user_ids) ${membership}
       OFFSET 0
     ) device
     WHERE device.vendor IS NOT NULL
     GROUP BY 1, 2, 3`,
  );
}
