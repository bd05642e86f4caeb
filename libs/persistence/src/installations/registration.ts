import type { Channel, JsonObject, PushVendor } from '@postrider/domain';
import type { UserTags } from '../users/lock-user.query';

/** The full state that a device registers, ready to be stored. Null: the device did not say. */
export interface Registration {
  userId: string;
  deviceType: string | null;
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  osVersion: string | null;
  osVersionKey: string | null;
  clientVersion: string | null;
  clientVersionKey: string | null;
  launchCount: number | null;
  launchTime: Date | null;
  installDate: Date | null;
  /** Memberships beside the default ones. Null leaves them as they are (none, when the device changes hands). */
  channels: Channel[] | null;
  /** Every other field, as it came. */
  registration: JsonObject;
  timeZone: string | null;
  locale: string | null;
  latitude: number | null;
  longitude: number | null;
  realtime: boolean;
  protected: boolean;
}

/** The parameters that the statements of a registration share. Those of the owner come last; null: they are looked up. */
export function registrationParameters(
  appId: string,
  installationId: string,
  sent: Registration,
  owner: UserTags | null,
  at: Date,
): unknown[] {
  return [
    appId,
    installationId,
    sent.userId,
    at,
    sent.deviceType,
    sent.pushType,
    sent.token,
    sent.tokenStatus,
    sent.osVersion,
    sent.osVersionKey,
    sent.clientVersion,
    sent.clientVersionKey,
    sent.launchCount,
    sent.launchTime,
    sent.installDate,
    sent.channels,
    JSON.stringify(sent.registration),
    sent.timeZone,
    sent.locale,
    sent.latitude,
    sent.longitude,
    sent.realtime,
    sent.protected,
    ...(owner === null ? [] : [owner.tags, JSON.stringify(owner.tagValues)]),
  ];
}

/**
 * What a registration changes on an installation that exists, by the parameters of `registrationParameters`. With another
 * owner the device starts anew: his tags, the channels that it names now, and `user_since`.
 *
 * @param owner expressions of the owner's tags and their values
 */
export function registrationChanges(owner: OwnerSql): string {
  return `
  user_since = CASE WHEN installations.user_id = $3 THEN installations.user_since ELSE $4::timestamptz END,
  channels = CASE WHEN $16::text[] IS NOT NULL THEN ${NAMED_AND_SUBSCRIBED}
    WHEN installations.user_id = $3 THEN installations.channels ELSE '{}' END,
  user_id = $3, tags = ${owner.tags}, tag_values = ${owner.tagValues}, device_type = $5, push_type = $6, token = $7, token_status = $8,
  token_registered_at = CASE WHEN $7::text IS NOT NULL THEN $4::timestamptz END,
  os_version = $9, os_version_key = $10, client_version = $11, client_version_key = $12,
  launch_count = coalesce($13::bigint, installations.launch_count), launch_time = coalesce($14::timestamptz, $4),
  install_date = coalesce($15::timestamptz, installations.install_date), registration = $17::jsonb, time_zone = $18,
  locale = $19, latitude = $20, longitude = $21, realtime = $22, protected = $23, updated_at = $4`;
}

/**
 * The channels that a registration names, and those that the device's session subscribed to over its own connection: the
 * list may have been made before it did, and come after.
 */
const NAMED_AND_SUBSCRIBED = `$16::text[] || ARRAY(
      SELECT channel FROM connection_sessions s CROSS JOIN unnest(s.channels) AS subscribed (channel)
      WHERE s.app_id = installations.app_id AND s.id = installations.id AND s.user_id = $3
        AND (s.expires_at IS NULL OR s.expires_at > $4) AND channel <> ALL ($16::text[]))`;

/** Where a statement finds the tags of the user who registers. */
interface OwnerSql {
  tags: string;
  tagValues: string;
}
