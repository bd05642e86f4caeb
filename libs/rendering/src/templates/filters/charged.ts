import type { FilterImplOptions } from 'liquidjs';
import { scopeOf } from '../template-context';

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
