import type { ClientTags, JsonObject, QuietHours, Scope } from '@postrider/domain';

/** An application as an operator sees it. */
export interface ApplicationResponse {
  id: string;
  name: string;
  defaultAlertText: string;
  defaultRegion: string | null;
  requireUserHash: boolean;
  clientTags: ClientTags;
  protectedAttributes: string[];
  /**
   * Installations that have not proved their user: they get nothing while the application requires it. Null: being counted.
   * Left out where applications are listed or changed.
   */
  unprovedDevices?: number | null;
  promoExhausted: 'send_without' | 'skip';
  requestsPerSecond: number | null;
  linkHosts: string[];
  linkSchemes: string[];
  matchByAddress: boolean;
  deferredLinkMinutes: number;
  conversionWindowHours: number;
  devicesPerSecond: number | null;
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A new application, with what is shown this once. */
export interface NewApplicationResponse {
  id: string;
  name: string;
  tokens: { server: string; client: string };
  identityKey: string;
}

/** A token as an operator sees it: never the token itself. */
export interface TokenResponse {
  id: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
}

/** A new token, shown this once. */
export interface NewTokenResponse {
  id: string;
  token: string;
}

/** A vendor's credentials without their secrets: the settings stand beside these. */
export type VendorResponse = JsonObject & { vendor: string; updatedAt?: string };

/** Whether a vendor takes the credentials. */
export interface VendorCheckResponse {
  ok: boolean;
  code?: string;
  reason?: string;
}
