import type { JsonObject, PushVendor } from '@postrider/domain';

/** An installation as it is stored, without what only the ledger needs. */
export interface Installation {
  /** Its number in the ledger (`installations.id`). */
  deviceId: string;
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
export const INSTALLATION_COLUMNS = `installations.id AS "deviceId", installation_id AS "installationId",
  user_id AS "userId", device_type AS "deviceType", push_type AS "pushType", token,
  token_status AS "tokenStatus", os_version AS "osVersion", client_version AS "clientVersion",
  launch_count AS "launchCount", launch_time AS "launchTime", install_date AS "installDate", installations.tags, channels,
  installations.attributes, registration, time_zone AS "timeZone", locale, latitude, longitude, realtime, protected,
  installations.created_at AS "createdAt", installations.updated_at AS "updatedAt"`;
