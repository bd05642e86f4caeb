import type { JsonObject } from '@postrider/domain';

/** An installation as its device and the application's backend see it; fields that we do not know stand beside these. */
export interface InstallationResponse {
  id: string;
  appId: string;
  userId: string;
  deviceType: string | null;
  deviceToken: string | null;
  tokenStatus: string | null;
  pushType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  launchCount: number;
  launchTime: string;
  installDate: string;
  tags: string[];
  /** Memberships beside the default channels, as `public/<name>` or `private/<name>`. */
  subscriptions: string[];
  timeZone: string | null;
  locale: string | null;
  location: { lat: number; lng: number } | null;
  realtime: boolean;
  protected: boolean;
  createdAt: string;
  updatedAt: string;
  /** A link that was clicked before the app was installed; in the answer to the first registration, where one waited. */
  deferredDeepLink?: string;
  /** The user's attributes. */
  userInfo?: JsonObject;
}
