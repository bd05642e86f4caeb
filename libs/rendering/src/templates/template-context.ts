import { Context, type Liquid } from 'liquidjs';
import type { WorkBudget } from './work-budget';

/** The person and the variables of a rendering. */
export interface RenderScope {
  readonly budget: WorkBudget;
  /** The variables by name. */
  readonly environment: Record<string, unknown>;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly now: Date;
  /** A member of one of the roots whose own name contains dots. Undefined if there is none, or `root` is not a root. */
  dotted(root: unknown, name: string): unknown;
  /** The value of `root.names…` in a template, without a template. @param hasDefault true: it is not missed */
  lookup(root: string, names: readonly string[], hasDefault: boolean): unknown;
  /** Called for a variable without a value. */
  missed(path: readonly string[]): void;
}

/**
 * The variables of one device for a template. Every read is charged. Names with dots, such as the attribute
 * `purchase.count`, are found as `user.purchase.count`.
 */
export class TemplateContext extends Context {
  /** True while a value is read for which the text gives a default: it is not missed. */
  hasDefault = false;

  constructor(
    readonly scope: RenderScope,
    engine: Liquid,
  ) {
    const limiter = scope.budget as unknown as Context['memoryLimit'];
    super(
      scope.environment,
      engine.options,
      { sync: true },
      { memoryLimit: limiter, renderLimit: limiter, liquid: engine },
    );
  }

  override readProperty(...[object, key]: Parameters<Context['readProperty']>): unknown {
    this.scope.budget.step(1);
    const value: unknown = super.readProperty(object, key);
    this.scope.budget.charge(value);
    return value;
  }

  override *_get(...[path]: Parameters<Context['_get']>): IterableIterator<unknown> {
    const names = path.filter((name) => typeof name === 'string');
    if (names.length === path.length && names.length > 2) {
      const root: unknown = yield super._get(path.slice(0, 1));
      const value = this.scope.dotted(root, names.slice(1).join('.'));
      if (value !== undefined) return value;
    }
    const value: unknown = yield super._get(path);
    if (value === undefined && !this.hasDefault) this.scope.missed(path.map(String));
    return value;
  }
}

/** The scope of a rendering, from the context of filters and operators. */
export function scopeOf(context: Context): RenderScope {
  if (context instanceof TemplateContext) return context.scope;
  throw new Error('Only templates of this service are rendered');
}
