import type { JsonObject } from '../json';

/** The parts of a browser, and of Node.js, that tell what the device is. */
interface FactGlobals {
  location?: object;
  navigator?: { userAgent?: string; language?: string };
  process?: { platform?: string; version?: string };
}

/** What can be found out about this device without asking anybody. */
export function deviceFacts(globals: FactGlobals = globalThis): JsonObject {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const agent = globals.navigator?.userAgent;
  const isBrowser = globals.location !== undefined && agent !== undefined;
  return {
    ...(isBrowser
      ? { deviceType: 'web', pushType: 'webpush', userAgent: agent, ...browserOf(agent) }
      : { deviceType: 'desktop', ...runtimeOf(globals) }),
    timeZone,
    locale: (isBrowser ? globals.navigator?.language : undefined) ?? locale,
  };
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

function runtimeOf({ process }: FactGlobals): JsonObject {
  return process?.platform === undefined
    ? {}
    : { deviceModel: process.platform, runtimeVersion: process.version ?? '' };
}
