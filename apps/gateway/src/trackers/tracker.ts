/** Where a tracker leads on one kind of device when no app opens its link. */
export interface PlatformLinks {
  ios?: string;
  android?: string;
  web?: string;
}

/** A tracker as a click needs it, with what its application allows. */
export interface ClickTarget {
  appId: string;
  trackerId: string;
  /** Opened when a click names none. */
  deepLink: string | null;
  destination: string | null;
  redirect: string | null;
  platforms: PlatformLinks;
  /** Hosts that a click's own parameters may lead to. */
  hosts: readonly string[];
  schemes: readonly string[];
  matchByAddress: boolean;
  deferredLinkMinutes: number;
}
