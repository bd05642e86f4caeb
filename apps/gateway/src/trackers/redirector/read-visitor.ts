import { LRUCache } from 'lru-cache';

/** What the headers of a request tell about the visitor. */
export interface Visitor {
  platform: 'android' | 'ios' | 'desktop';
  /** The first number of the system's version, if the browser still sends it. */
  osMajor: number | null;
  /** True if the visitor is not a person: a crawler, or a service that makes previews of links. */
  isRobot: boolean;
  /** True if the browser takes `intent:` links. */
  takesIntents: boolean;
  /** Everything except the version: equal for visitors that get the same answers. */
  kind: string;
}

/**
 * Crawlers, previews of links, monitors and mail scanners, by words in their user agents (`docs/trackers.md` lists
 * them). Plain HTTP clients are not included, because apps follow links with these. Nor are people: Cubot makes phones,
 * and `[Pinterest/iOS]` and `baiduboxapp` are browsers inside apps.
 */
const ROBOT = new RegExp(
  [
    '(?<!cu)bot(?:\\b|[/;)_-])|crawl|spider|slurp|preview|lighthouse|pagespeed|pingdom|uptimerobot|statuscake|ia_archiver',
    'facebookexternalhit|facebookcatalog|whatsapp/|telegrambot|slackbot|discordbot|twitterbot|linkedinbot|embedly|vkshare',
    'pinterest/\\d|google-read-aloud|googleimageproxy|google-safety|mediapartners|feedfetcher|apis-google|bingpreview',
    'barracuda|proofpoint|mimecast|safelinks|snippet|iframely|redditbot|skypeuri|applebot|petalbot|w3c_validator',
  ].join('|'),
  'i',
);
const IOS = /\b(?:iPhone|iPad|iPod)\b/;
const IOS_VERSION = /\bOS (\d{1,3})[_.]\d/;
const ANDROID_VERSION = /\bAndroid (\d{1,3})/;
/** Chrome's frozen text (`Android 10; K`) does not tell the version. */
const FROZEN = /\bAndroid 10; K\)/;
const REMEMBERED = 4_000;
const LONGEST_AGENT = 512;

const remembered = new LRUCache<string, Visitor>({ max: REMEMBERED });

/** Reads a user agent. Caches the last ones: there are few, and reading one costs more than answering a click. */
export function readVisitor(userAgent: string | undefined): Visitor {
  const whole = userAgent ?? '';
  const text = whole.length > LONGEST_AGENT ? whole.slice(0, LONGEST_AGENT) : whole;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const read = visitorOf(text);
  const visitor = { ...read, kind: `${read.platform} ${read.isRobot} ${read.takesIntents}` };
  remembered.set(text, visitor);
  return visitor;
}

function visitorOf(text: string): Omit<Visitor, 'kind'> {
  // Whatever phone they claim to be.
  if (ROBOT.test(text)) return { platform: 'desktop', osMajor: null, isRobot: true, takesIntents: false };
  const isRobot = false;
  if (IOS.test(text)) {
    return { platform: 'ios', osMajor: numberIn(IOS_VERSION, text), isRobot, takesIntents: false };
  }
  if (/\bAndroid\b/.test(text)) {
    const osMajor = FROZEN.test(text) ? null : numberIn(ANDROID_VERSION, text);
    return { platform: 'android', osMajor, isRobot, takesIntents: /\bChrome\/\d/.test(text) && !/; wv\)/.test(text) };
  }
  return { platform: 'desktop', osMajor: null, isRobot, takesIntents: false };
}

function numberIn(pattern: RegExp, text: string): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

type Headers = Record<string, string | string[] | undefined>;

/** True if a browser fetches a link before anybody clicked it. */
export function isPrefetch(headers: Headers): boolean {
  for (const name of PREFETCH_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && /prefetch|prerender|preview/i.test(value)) return true;
  }
  return false;
}

const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const;
