import type { NewTrackerRequest, TrackerResponse } from '../api/generated/document';

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

type TrackerSettings = Pick<TrackerResponse, 'name' | 'deepLink' | 'destination' | 'platforms' | 'allowedHosts'>;

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
}: TrackerForm): NewTrackerRequest {
  const platforms = { ios: ios.trim(), android: android.trim(), web: web.trim() };
  return {
    name: name.trim(),
    deepLink: deepLink.trim() || null,
    destination: destination.trim() || null,
    platforms: Object.fromEntries(Object.entries(platforms).filter(([, link]) => link !== '')),
    allowedHosts,
  };
}
