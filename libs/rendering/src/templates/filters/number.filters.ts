import type { FilterImpl } from './charged';
import { scopeOf } from '../template-context';
import { numberFormat } from './formatters';

const MAX_DIGITS = 20;

/** `{{ user.points | number }}`, `{{ user.balance | number: 2 }}`: as it is written where the device's locale is at home. */
export function number(this: FilterImpl, value: unknown, digits?: unknown): unknown {
  return format(this, value, fractionOf(digits));
}

/** `{{ user.balance | currency: "EUR" }}`. A currency that nobody knows is written as its code. */
export function currency(this: FilterImpl, value: unknown, code: unknown = 'USD', digits?: unknown): unknown {
  const name = typeof code === 'string' && /^[a-z]{3}$/i.test(code) ? code.toUpperCase() : 'USD';
  return format(this, value, { style: 'currency', currency: name, ...fractionOf(digits) });
}

/** `{{ 0.25 | percent }}`: 25%. */
export function percent(this: FilterImpl, value: unknown, digits?: unknown): unknown {
  return format(this, value, { style: 'percent', ...fractionOf(digits) });
}

/** What is no number is left as it is: `default` may follow. */
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
