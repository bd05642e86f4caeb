import type { NewTrackerRequest, TrackerResponse } from '@postrider/server/document';
import { differing } from './differing';

/** The settings of a tracker as they are being written. Each has the name that the API gives it. */
export interface TrackerSettings {
  name: string;
  deepLink: string;
  'platforms.ios': string;
  'platforms.android': string;
  'platforms.web': string;
  destination: string;
  allowedHosts: string[];
}

type SavedTracker = Pick<TrackerResponse, 'name' | 'deepLink' | 'destination' | 'platforms' | 'allowedHosts'>;

/** Settings with nothing written yet. */
const NO_SETTINGS: TrackerSettings = {
  name: '',
  deepLink: '',
  'platforms.ios': '',
  'platforms.android': '',
  'platforms.web': '',
  destination: '',
  allowedHosts: [],
};

/** The settings of a saved tracker; without one, settings with nothing written yet. */
export function settingsOf(tracker?: SavedTracker): TrackerSettings {
  if (tracker === undefined) return NO_SETTINGS;
  const { name, deepLink, destination, platforms, allowedHosts } = tracker;
  return {
    name,
    deepLink: deepLink ?? '',
    'platforms.ios': platforms.ios ?? '',
    'platforms.android': platforms.android ?? '',
    'platforms.web': platforms.web ?? '',
    destination: destination ?? '',
    allowedHosts,
  };
}

/** The body that saves settings. A link that is empty is removed. */
export function trackerBody(settings: TrackerSettings): NewTrackerRequest {
  const platforms = (['ios', 'android', 'web'] as const).map((name) => [name, settings[`platforms.${name}`].trim()]);
  return {
    name: settings.name.trim(),
    deepLink: settings.deepLink.trim() || null,
    destination: settings.destination.trim() || null,
    platforms: Object.fromEntries(platforms.filter(([, link]) => link !== '')) as Record<string, string>,
    allowedHosts: settings.allowedHosts,
  };
}

/**
 * The body that saves what was changed of a tracker. What was not changed stays as it is by now, also each platform, though they are
 * stored together.
 *
 * @param base the settings as they were when the changes were begun
 * @param newest the tracker by now: another person may have changed it meanwhile
 */
export function trackerChanges(
  base: TrackerSettings,
  settings: TrackerSettings,
  newest: SavedTracker,
): Partial<NewTrackerRequest> {
  const stored = settingsOf(newest);
  const changed = differing(settings, base);
  return differing<NewTrackerRequest>(trackerBody({ ...stored, ...changed }), trackerBody(stored));
}

/** What another person has saved meanwhile in place of what was changed here; the parameters are those of `trackerChanges`. */
export function changedMeanwhile(
  base: TrackerSettings,
  settings: TrackerSettings,
  newest: SavedTracker,
): Partial<TrackerSettings> {
  const changed = differing(settings, base);
  const theirs = differing(differing(settingsOf(newest), base), settings);
  return Object.fromEntries(Object.entries(theirs).filter(([name]) => name in changed));
}

/** The parts of a tracker link. */
interface TrackerLinkParts {
  /** The tracker's own address, `https://go.example.com/<id>`. */
  base: string;
  /** The address inside the app. */
  deepLink: string;
  /** The address for the browser if the app does not open. */
  redirect: string;
}

/** The link to hand out, every part encoded. */
export function trackerLink({ base, deepLink, redirect }: TrackerLinkParts): string {
  const words = [
    ['deep_link', deepLink.trim()],
    ['redirect', redirect.trim()],
  ].filter(([, value]) => value !== '');
  if (words.length === 0) return base;
  const query = words.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&');
  return `${base}${base.includes('?') ? '&' : '?'}${query}`;
}
