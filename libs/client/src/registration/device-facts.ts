import type { JsonObject } from '../json';

/** The parts of a browser, and of Node.js, that describe the device. */
interface FactGlobals {
  location?: object;
  navigator?: { userAgent?: string; language?: string };
  process?: { platform?: string; version?: string };
}

/** Apps of a phone, in which what looks like a browser is none that could be subscribed to web push. */
const PHONES: readonly unknown[] = ['android', 'ios'];

/**
 * Returns the facts about this device that can be found without asking anyone.
 * @param given the application's own values, which win
 */
export function deviceFacts(given: JsonObject = {}, globals: FactGlobals = globalThis): JsonObject {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const agent = globals.navigator?.userAgent;
  const isPage = globals.location !== undefined && agent !== undefined;
  return {
    ...(PHONES.includes(given.deviceType) ? {} : isPage ? pageFacts(agent) : runtimeFacts(globals)),
    timeZone,
    locale: (isPage ? globals.navigator?.language : undefined) ?? locale,
    ...given,
  };
}

function pageFacts(agent: string): JsonObject {
  return { deviceType: 'web', pushType: 'webpush', userAgent: agent, ...browserOf(agent) };
}

/** Every Chromium calls itself Safari too, and Edge Chrome: the first that fits is the one. */
const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Version'];

function browserOf(agent: string): JsonObject {
  const version = BROWSERS.map((name) => new RegExp(`\\b${name}/([\\d.]+)`).exec(agent)?.[1]).find(Boolean);
  const system = /\(([^)]*)\)/.exec(agent)?.[1]?.split(';')[0];
  return {
    ...(version === undefined ? {} : { browserVersion: version }),
    ...(system === undefined ? {} : { deviceModel: system }),
  };
}

function runtimeFacts({ process }: FactGlobals): JsonObject {
  const { platform, version = '' } = process ?? {};
  return {
    deviceType: 'desktop',
    ...(platform === undefined ? {} : { deviceModel: platform, runtimeVersion: version }),
  };
}
