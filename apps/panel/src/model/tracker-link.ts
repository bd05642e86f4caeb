/** The parts of a tracker link. */
export interface TrackerLinkParts {
  /** The tracker's own address, `https://go.example.com/<id>`. */
  base: string;
  /** Where the app is opened. */
  deepLink: string;
  /** Where the browser goes when the app does not open. */
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
