import type { DeviceId, JsonObject, PushVendor } from '@postrider/domain';
import { sql } from '../sql';

/** An installation as it is stored, without the columns that only deliveries need. */
export interface Installation {
  /** Its number (`installations.id`). */
  deviceId: DeviceId;
  installationId: string;
  userId: string;
  deviceType: string | null;
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  launchCount: string;
  launchTime: Date;
  installDate: Date;
  tags: string[];
  channels: string[];
  attributes: JsonObject;
  registration: JsonObject;
  timeZone: string | null;
  locale: string | null;
  latitude: number | null;
  longitude: number | null;
  realtime: boolean;
  protected: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** The select list that gives an `Installation`. */
export const INSTALLATION_COLUMNS = sql`installations.id AS "deviceId", installations.installation_id AS "installationId",
  installations.user_id AS "userId", installations.device_type AS "deviceType", installations.push_type AS "pushType",
  installations.token, installations.token_status AS "tokenStatus", installations.os_version AS "osVersion",
  installations.client_version AS "clientVersion", installations.launch_count AS "launchCount",
  installations.launch_time AS "launchTime", installations.install_date AS "installDate", installations.tags,
  installations.channels, installations.attributes, installations.registration, installations.time_zone AS "timeZone",
  installations.locale, installations.latitude, installations.longitude, installations.realtime, installations.protected,
  installations.created_at AS "createdAt", installations.updated_at AS "updatedAt"`;

/** A token that a vendor called dead, as it was when it was used. */
export interface DeadToken {
  deviceId: DeviceId;
  token: string;
  /** As it was read with the token, to the microsecond. */
  registeredAt: string | null;
  /** The vendor's own timestamp: a token that was registered later is alive. */
  deadSince: Date | null;
  /** True if the token had not been registered for so long that it may have died unnoticed (`isSilentToken`). */
  isSilent?: boolean;
  /** The vendor's code. */
  code?: string;
}
