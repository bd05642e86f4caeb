import type { FilterImplOptions } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { scopeOf } from '../template-context';
import type { WorkBudget } from '../work-budget';

/** A formatter takes some ten to a hundred microseconds to make and a few kilobytes to keep. */
const KEPT = 512;
const LONGEST_LOCALE = 64;
/** What devices that do not say, or say nonsense, get. */
const DEFAULT_LOCALE = 'en';
const DEFAULT_TIME_ZONE = 'UTC';

const locales = new LRUCache({ max: KEPT, memoMethod: readLocale });
const timeZones = new LRUCache({ max: KEPT, memoMethod: readTimeZone });
const numberFormats = new LRUCache<string, Intl.NumberFormat, () => Intl.NumberFormat>({
  max: KEPT,
  memoMethod: (_key, _stale, { context: create }) => create(),
});
const dateFormats = new LRUCache<string, Intl.DateTimeFormat, () => Intl.DateTimeFormat>({
  max: KEPT,
  memoMethod: (_key, _stale, { context: create }) => create(),
});

/** How numbers are written in a locale; any text is taken for one. @throws Error when the budget is used up */
export function numberFormat(
  budget: WorkBudget,
  locale: string | null,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const known = knownLocale(locale);
  const key = `${known} ${options.style ?? ''} ${options.currency ?? ''} ${options.maximumFractionDigits ?? ''}`;
  budget.chargeFormat(key);
  return numberFormats.memo(key, { context: () => new Intl.NumberFormat(known, options) });
}

/** Where and how a moment is written. */
export interface DatePlace {
  budget: WorkBudget;
  locale: string | null;
  timeZone: string | null;
}

/**
 * How moments are written in a locale and a time zone; any texts are taken for them.
 *
 * @param name tells `options` apart
 * @throws Error when the budget is used up
 */
export function dateFormat(
  { budget, locale, timeZone }: DatePlace,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  // Charged by what was asked for: whether a time zone exists is known only after it was looked up.
  budget.chargeFormat(`${locale} ${timeZone} ${name}`);
  const [language, zone] = [knownLocale(locale), knownTimeZone(timeZone)];
  return dateFormats.memo(`${language} ${zone} ${name}`, {
    context: () => new Intl.DateTimeFormat(language, { ...options, timeZone: zone }),
  });
}

/** Devices write `de-DE`, `de_DE`, `de_DE.UTF-8`, or whatever they like. */
function knownLocale(locale: string | null): string {
  if (locale === null || locale.length > LONGEST_LOCALE) return DEFAULT_LOCALE;
  return locales.memo(locale);
}

function readLocale(locale: string): string {
  try {
    const plain = locale.replace(/[.@].*$/, '').replaceAll('_', '-');
    return Intl.NumberFormat.supportedLocalesOf(plain)[0] ?? DEFAULT_LOCALE;
  } catch {
    return DEFAULT_LOCALE;
  }
}

function knownTimeZone(timeZone: string | null): string {
  if (timeZone === null || timeZone.length > LONGEST_LOCALE) return DEFAULT_TIME_ZONE;
  return timeZones.memo(timeZone);
}

function readTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return DEFAULT_TIME_ZONE;
  }
}

/** A filter as liquidjs calls it. */
export type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
/** What is `this` in a filter. */
export type FilterImpl = ThisParameterType<FilterHandler>;

/** The same filter, charged for what it is given and for what it makes. */
export function charged(handler: FilterHandler): FilterHandler {
  return function (this: FilterImpl, value: unknown, ...args: unknown[]): unknown {
    const { budget } = scopeOf(this.context);
    budget.step(1);
    budget.charge(value);
    for (const arg of args) budget.charge(arg);
    const made: unknown = handler.call(this, value, ...args);
    budget.charge(made);
    return made;
  };
}
