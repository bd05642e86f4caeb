import { filters as liquidFilters, type FilterImplOptions } from 'liquidjs';
import { scopeOf } from '../template-context';
import { charged, type FilterHandler, type FilterImpl, numberFormat } from './formatters';
import { date } from './date.filter';

const MAX_DIGITS = 20;

/** `{{ user.points | number }}`, `{{ user.balance | number: 2 }}`: in the notation of the device's locale. */
function number(this: FilterImpl, value: unknown, digits?: unknown): unknown {
  return format(this, value, fractionOf(digits));
}

/**
 * `{{ user.balance | currency: "EUR" }}`. An unknown currency is written as its code. Without a code, as for a user
 * whose currency is not known, the amount stands alone: any symbol would make it another price.
 */
function currency(this: FilterImpl, value: unknown, code?: unknown, digits?: unknown): unknown {
  const isCode = typeof code === 'string' && /^[a-z]{3}$/i.test(code);
  const unit = isCode
    ? { style: 'currency' as const, currency: code.toUpperCase() }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return format(this, value, { ...unit, ...fractionOf(digits) });
}

/** `{{ 0.25 | percent }}`: 25%. */
function percent(this: FilterImpl, value: unknown, digits?: unknown): unknown {
  return format(this, value, { style: 'percent', ...fractionOf(digits) });
}

/** A value that is not a number does not change, because `default` may follow. */
function format({ context }: FilterImpl, value: unknown, options: Intl.NumberFormatOptions): unknown {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return value;
  const { locale, budget } = scopeOf(context);
  return numberFormat(budget, locale, options).format(amount);
}

function fractionOf(digits: unknown): Intl.NumberFormatOptions {
  const count = typeof digits === 'string' ? Number(digits) : digits;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MAX_DIGITS) return {};
  return { minimumFractionDigits: count, maximumFractionDigits: count };
}

/**
 * The filters of liquidjs that work on their input only, in one or two passes. Left out: filters that parse or evaluate
 * text, that use chance, that print whole objects, and dates, which are ours.
 */
const TAKEN = [
  // text
  'append',
  'prepend',
  'capitalize',
  'downcase',
  'upcase',
  'strip',
  'lstrip',
  'rstrip',
  'strip_newlines',
  'strip_html',
  'newline_to_br',
  'squish',
  'normalize_whitespace',
  'remove',
  'remove_first',
  'remove_last',
  'replace',
  'replace_first',
  'replace_last',
  'truncate',
  'truncatewords',
  'number_of_words',
  'split',
  'slice',
  'escape',
  'escape_once',
  'xml_escape',
  'slugify',
  'url_encode',
  'url_decode',
  'uri_escape',
  'cgi_escape',
  'base64_encode',
  'base64_decode',
  'sha256',
  'hmac_sha256',
  // numbers
  'abs',
  'at_least',
  'at_most',
  'ceil',
  'floor',
  'round',
  'plus',
  'minus',
  'times',
  'to_integer',
  // lists
  'join',
  'first',
  'last',
  'reverse',
  'size',
  'compact',
  'concat',
  'push',
  'pop',
  'shift',
  'unshift',
  'uniq',
  'array_to_sentence_string',
  // anything
  'default',
  'raw',
];

/** Filters that read one member of each element. They parse its name for each element. */
const BY_PROPERTY = ['sort', 'sort_natural', 'map', 'sum'];

/** Filters that have no result for zero. Then they have no value, so that `default` may follow and nobody reads `Infinity`. */
const DIVIDING = ['divided_by', 'modulo'];

/** Every filter of a template, by name. */
export const FILTERS: Readonly<Record<string, FilterImplOptions>> = {
  ...Object.fromEntries(TAKEN.map((name) => [name, charged(handlerOf(name))])),
  ...Object.fromEntries(BY_PROPERTY.map((name) => [name, charged(byProperty(handlerOf(name)))])),
  ...Object.fromEntries(DIVIDING.map((name) => [name, charged(dividing(handlerOf(name)))])),
  json: charged(json),
  date: charged(date),
  number: charged(number),
  currency: charged(currency),
  percent: charged(percent),
};

function handlerOf(name: string): FilterHandler {
  const filter = liquidFilters[name];
  if (filter === undefined) throw new Error(`liquidjs has no filter ${name}`);
  return typeof filter === 'function' ? filter : filter.handler;
}

function dividing(handler: FilterHandler): FilterHandler {
  return function (this: FilterImpl, value: unknown, ...args: unknown[]): unknown {
    const result: unknown = handler.call(this, value, ...args);
    return Number.isFinite(result) ? result : undefined;
  };
}

function byProperty(handler: FilterHandler): FilterHandler {
  return function (this: FilterImpl, list: unknown, ...args: unknown[]): unknown {
    const [property] = args;
    const length = Array.isArray(list) ? list.length : 1;
    if (typeof property === 'string') scopeOf(this.context).budget.use(length * property.length);
    return handler.call(this, list, ...args);
  };
}

/**
 * liquidjs' own filter, which charges its output; without indentation, which nobody reads on a phone and which it does
 * not charge.
 */
function json(this: FilterImpl, value: unknown): unknown {
  return handlerOf('json').call(this, value);
}
