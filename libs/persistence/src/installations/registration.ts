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

/** The parameters that the statements of a registration share; see `REGISTRATION_COLUMNS`. */
export function registrationParameters(
  appId: string,
  installationId: string,
  sent: Registration,
  owner: UserTags,
  at: Date,
): unknown[] {
  return [
    appId,
    installationId,
    sent.userId,
    at,
    owner.tags,
    JSON.stringify(owner.tagValues),
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
  ];
}

/**
 * What a registration changes on an installation that exists, by the parameters of `registrationParameters`. With another
 * owner the device starts anew: his tags, the channels that it names now, and `user_since`.
 */
export const REGISTRATION_CHANGES = `
  user_since = CASE WHEN installations.user_id = $3 THEN installations.user_since ELSE $4::timestamptz END,
  channels = CASE WHEN $18::text[] IS NOT NULL THEN $18::text[] WHEN installations.user_id = $3 THEN installations.channels
    ELSE '{}' END,
  user_id = $3, tags = $5::text[], tag_values = $6::jsonb, device_type = $7, push_type = $8, token = $9, token_status = $10,
  token_registered_at = CASE WHEN $9::text IS NOT NULL THEN $4::timestamptz END,
  os_version = $11, os_version_key = $12, client_version = $13, client_version_key = $14,
  launch_count = coalesce($15::bigint, installations.launch_count), launch_time = coalesce($16::timestamptz, $4),
  install_date = coalesce($17::timestamptz, installations.install_date), registration = $19::jsonb, time_zone = $20,
  locale = $21, latitude = $22, longitude = $23, realtime = $24, protected = $25, updated_at = $4`;
