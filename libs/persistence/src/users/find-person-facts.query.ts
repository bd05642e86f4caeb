import type { JsonObject } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { attributesOf } from './attributes-of';

/** A device and its user, as far as a text may speak of them. */
export interface StoredPerson {
  deviceId: number;
  userId: string;
  /** The user's attributes. */
  attributes: JsonObject;
  tags: string[];
  tagValues: JsonObject;
  device: StoredDeviceFacts;
}

/** The device's part of a `StoredPerson`: all it registered but its token. */
export interface StoredDeviceFacts {
  installationId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  locale: string | null;
  timeZone: string | null;
  attributes: JsonObject;
  registration: JsonObject;
}

/** Which of it is asked for; the rest comes as if there were none. */
export interface FactsWanted {
  user: boolean;
  device: boolean;
  tags: boolean;
  /** Of the user's attributes, those that are enough: others may be left out. Null or left out: all come. */
  attributes?: readonly string[] | null;
}

const EVERYTHING: FactsWanted = { user: true, device: true, tags: true };

/**
 * What personal texts say of these devices and their users, by device. Devices that are gone have no entry. What kind of
 * device it is, and who it is, comes in any case.
 */
export async function findPersonFacts(
  executor: Executor,
  appId: string,
  deviceIds: readonly number[],
  { user, device, tags, attributes }: FactsWanted = EVERYTHING,
): Promise<Map<number, StoredPerson>> {
  const [found] = await preparedRows<{ people: StoredPerson[] }>(executor, FIND_PERSON_FACTS, [
    appId,
    deviceIds,
    user,
    device,
    tags,
    attributes ?? null,
  ]);
  return new Map((found?.people ?? []).map((person) => [person.deviceId, person]));
}

/** One JSON text is read faster than many rows. The lookups are LATERAL so that no statistics can turn them into scans. */
const FIND_PERSON_FACTS = `
  SELECT coalesce(json_agg(json_build_object(
    'deviceId', i.id, 'userId', i.user_id, 'attributes', coalesce(${attributesOf('u.attributes', '$6')}, '{}'),
    'tags', CASE WHEN $5 THEN i.tags ELSE '{}' END, 'tagValues', CASE WHEN $5 THEN i.tag_values ELSE '{}' END, 'device', json_build_object(
      'installationId', i.installation_id, 'deviceType', i.device_type, 'osVersion', i.os_version,
      'clientVersion', i.client_version, 'locale', i.locale, 'timeZone', i.time_zone, 'attributes', CASE WHEN $4 THEN i.attributes ELSE '{}' END,
      'registration', CASE WHEN $4 THEN i.registration ELSE '{}' END
    )
  )), '[]') AS people
  FROM unnest($2::bigint[]) AS wanted (id)
  CROSS JOIN LATERAL (SELECT * FROM installations WHERE app_id = $1 AND id = wanted.id LIMIT 1) i
  LEFT JOIN LATERAL (SELECT attributes FROM users WHERE $3 AND app_id = $1 AND user_id = i.user_id LIMIT 1) u ON true`;
