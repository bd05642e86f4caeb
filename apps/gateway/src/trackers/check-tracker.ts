import { type ErrorDetail, InvalidRequest } from '@postrider/domain';
import type { TrackerSettings } from '@postrider/persistence';
import { appLink, isWeb, normaliseHost, readWebLink, webLink } from './link-guard';
import { PLAY_STORE_APP } from './click-token';

const NOT_A_PAGE = 'must be an http or https link without a user name';

/** An application's rules for links, by which its trackers are checked. */
interface LinkRules {
  linkHosts: readonly string[];
  linkSchemes: readonly string[];
}

/**
 * Checks where a tracker leads. Its owner may use any page while the application names no hosts (`linkHosts`);
 * afterwards only those hosts.
 *
 * @returns the tracker with its links and hosts in normalised form
 * @throws InvalidRequest naming every bad field
 */
export function checkTracker(settings: TrackerSettings, { linkHosts, linkSchemes }: LinkRules): TrackerSettings {
  const problems: ErrorDetail[] = [];
  const page = (path: string, text: string | null | undefined): string | null => {
    if (text === null || text === undefined) return null;
    const url = readWebLink(withoutPlaces(text))?.href ?? null;
    if (url === null) return bad(path, NOT_A_PAGE);
    if (linkHosts.length > 0 && webLink(withoutPlaces(text), [...linkHosts, ...STORES]) === null) {
      return bad(path, `must be on a host that the application allows: ${linkHosts.join(', ')}`);
    }
    return text;
  };
  const bad = (path: string, message: string): null => {
    problems.push({ path, message });
    return null;
  };
  const { deepLink, platforms } = settings;
  const opened =
    deepLink === null
      ? null
      : (appLink(deepLink, linkSchemes) ?? (isWeb(deepLink) ? page('deepLink', deepLink) : null));
  if (deepLink !== null && opened === null && problems.length === 0)
    bad('deepLink', 'must be a link that an app opens');
  const checked: TrackerSettings = {
    name: settings.name,
    deepLink: opened,
    destination: page('destination', settings.destination),
    redirect: page('redirect', settings.redirect),
    platforms: Object.fromEntries(
      Object.entries(platforms).flatMap(([name, link]) => {
        const url = PLAY_STORE_APP.test(link) ? link : page(`platforms.${name}`, link);
        return url === null ? [] : [[name, url]];
      }),
    ),
    allowedHosts: settings.allowedHosts.flatMap((host, index) => {
      const normal = normaliseHost(host);
      if (normal === null) bad(`allowedHosts[${index}]`, 'must be the name of a host: shop.example, *.shop.example');
      else if (linkHosts.length > 0 && webLink(`https://${normal.replace('*', 'any')}/`, linkHosts) === null) {
        bad(`allowedHosts[${index}]`, `must be a host that the application allows: ${linkHosts.join(', ')}`);
      } else return [normal];
      return [];
    }),
  };
  if (problems.length > 0) throw new InvalidRequest(problems);
  return checked;
}

/** Every application may use links to these. */
const STORES = ['play.google.com', 'apps.apple.com', 'itunes.apple.com', 'appgallery.huawei.com'];

/**
 * The hosts that the parameters of a click may lead to: the application's, the tracker's, and those of the tracker's
 * pages.
 */
export function hostsOf(
  tracker: Pick<TrackerSettings, 'allowedHosts' | 'destination' | 'redirect' | 'deepLink' | 'platforms'> & {
    linkHosts: readonly string[];
  },
): string[] {
  const { destination, redirect, deepLink, platforms } = tracker;
  const pages = [destination, redirect, deepLink, platforms.web];
  const own = pages.flatMap((link) => (link ? (readWebLink(withoutPlaces(link))?.host ?? []) : []));
  return [...new Set([...tracker.linkHosts, ...tracker.allowedHosts, ...own])];
}

/**
 * A page's link in the form in which it is checked: the placeholder of the click's token has a character that links do
 * not have.
 */
function withoutPlaces(link: string): string {
  return link.replace(/\{click_?token\}/gi, 'token');
}
