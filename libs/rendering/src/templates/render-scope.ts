import type { WorkBudget } from './work-budget';

/** What a template is rendered for, and with. */
export interface RenderScope {
  readonly budget: WorkBudget;
  /** The variables by name. */
  readonly environment: Record<string, unknown>;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly now: Date;
  /** A member of one of the roots whose own name has dots in it; undefined when there is none, or `root` is another thing. */
  dotted(root: unknown, name: string): unknown;
  /** The same as a template's `root.names…`, without a template. */
  lookup(root: string, names: readonly string[]): unknown;
  /** Hears of a variable that has no value. */
  missed(path: readonly string[]): void;
}
