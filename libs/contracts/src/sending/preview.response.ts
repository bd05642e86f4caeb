import type { JsonObject, JsonValue } from '@postrider/domain';

/** What one device would get. */
export interface DevicePreviewResponse {
  installationId: string;
  deviceType: string | null;
  /** The way it would be reached now; null when there is none. */
  vendor: string | null;
  /** Why it would get nothing: there is no way to it, or the message cannot be made for it. */
  problem?: { code: string; message: string };
  title?: string;
  body?: string;
  content?: string;
  clickUrl?: string;
  actions?: { id?: string; title?: string; url?: string }[];
  data?: JsonValue;
  /** What goes to the vendor, or over the connection. */
  payload?: JsonObject;
  /** Bytes that the vendor counts, and how many it takes; a connection has no limit. */
  bytes?: number;
  limit?: number;
  /** Variables without a value, and the like. */
  warnings: string[];
}

/** What one user would get. */
export interface UserPreviewResponse {
  userId: string;
  /** His devices, those used last first. */
  devices: DevicePreviewResponse[];
  /** The fallback's SMS, when the message has one. */
  sms?: { text: string } | { problem: { code: string; message: string } };
}

/** What `POST api/push/preview` answers. */
export interface PreviewResponse {
  users: UserPreviewResponse[];
}
