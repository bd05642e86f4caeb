/** The settings of a tracker as they are being written. */
export interface TrackerForm {
  name: string;
  deepLink: string;
  destination: string;
  ios: string;
  android: string;
  web: string;
  allowedHosts: string[];
}

/** What the API answers of a tracker that the form shows. */
export interface TrackerSettings {
  name: string;
  deepLink: string | null;
  destination: string | null;
  platforms: { ios?: string; android?: string; web?: string };
  allowedHosts: string[];
}

/** A form with nothing written yet. */
export const EMPTY_TRACKER: TrackerForm = {
  name: '',
  deepLink: '',
  destination: '',
  ios: '',
  android: '',
  web: '',
  allowedHosts: [],
};

/** The form of a tracker that is there. */
export function formOf({ name, deepLink, destination, platforms, allowedHosts }: TrackerSettings): TrackerForm {
  return {
    name,
    deepLink: deepLink ?? '',
    destination: destination ?? '',
    ios: platforms.ios ?? '',
    android: platforms.android ?? '',
    web: platforms.web ?? '',
    allowedHosts,
  };
}

/** The body that saves a form: what is empty is taken away. */
export function trackerBody({
  name,
  deepLink,
  destination,
  ios,
  android,
  web,
  allowedHosts,
}: TrackerForm): Record<string, unknown> {
  const platforms = { ios: ios.trim(), android: android.trim(), web: web.trim() };
  return {
    name: name.trim(),
    deepLink: deepLink.trim() || null,
    destination: destination.trim() || null,
    platforms: Object.fromEntries(Object.entries(platforms).filter(([, link]) => link !== '')),
    allowedHosts,
  };
}
