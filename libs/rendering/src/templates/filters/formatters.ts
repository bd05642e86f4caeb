import type { FilterImplOptions } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { scopeOf } from '../template-context';
import type { WorkBudget } from '../work-budget';

/** A formatter takes some ten to a hundred microseconds to make and a few kilobytes to cache. */
const KEPT = 512;
const LONGEST_LOCALE = 64;
/** The locale of devices that report none, or an invalid one. */
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

/** The number format of a locale, which may be any text. @throws Error if the budget is used up */
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

/** The place and notation of a moment. */
export interface DatePlace {
  budget: WorkBudget;
  locale: string | null;
  timeZone: string | null;
}

/**
 * The date format of a locale and a time zone, which may be any texts.
 *
 * @param name distinguishes `options`
 * @throws Error if the budget is used up
 */
export function dateFormat(
  { budget, locale, timeZone }: DatePlace,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  // Charged by the requested names, because the existence of a time zone is known only after a lookup.
  budget.chargeFormat(`${locale} ${timeZone} ${name}`);
  const [language, zone] = [knownLocale(locale), knownTimeZone(timeZone)];
  return dateFormats.memo(`${language} ${zone} ${name}`, {
    context: () => new Intl.DateTimeFormat(language, { ...options, timeZone: zone }),
  });
}

/** Devices write `de-DE`, `de_DE`, `de_DE.UTF-8`, or anything else. */
function knownLocale(locale: string | null): string {
  if (locale === null || locale.length > LONGEST_LOCALE) return DEFAULT_LOCALE;
  return locales.memo(locale);
}

function readLocale(locale: string): string {
  try {
    const [plain = ''] = locale.split(/[.@]/, 1);
    return Intl.NumberFormat.supportedLocalesOf(plain.replaceAll('_', '-'))[0] ?? DEFAULT_LOCALE;
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

/** The type of a filter in liquidjs. */
export type FilterHandler = Extract<FilterImplOptions, (...args: never[]) => unknown>;
/** What is `this` in a filter. */
export type FilterImpl = ThisParameterType<FilterHandler>;

/** The same filter, charged for its input and its output. */
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
