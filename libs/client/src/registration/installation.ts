import type { JsonObject } from '../json';

/** An installation as the service describes it; what else the device registered stands beside these. */
export interface Installation extends JsonObject {
  id: string;
  userId: string;
  tags: string[];
  /** Memberships beside the default channels, as `public/<name>` or `private/<name>`. */
  subscriptions: string[];
}

/** A link that was clicked before the application was there. It is handed over once. */
export interface DeferredDeepLink {
  link: string;
  /** Tells the tracker's statistics what the application did with it. @throws PostriderError */
  report(isOpened: boolean): Promise<void>;
}
