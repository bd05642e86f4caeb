import { type Template, toValueSync, Value } from 'liquidjs';

/** Steps for one device: far more than a text for a person takes, and about a millisecond. */
const MAX_STEPS = 5_000;
/** Characters read, made and written for one device: many payloads' worth. */
const MAX_CHARACTERS = 262_144;
/** How deep lists may lie in lists. */
const MAX_LIST_DEPTH = 32;
/** What a number or date format costs that a text asks for the first time: making one takes as long as so many steps. */
const NEW_FORMAT_STEPS = 250;
/** What using it costs. */
const FORMAT_STEPS = 20;

/**
 * The work that the templates of one message may do for one device. Counted, not timed: what a template may do does not
 * depend on the machine or on how busy it is.
 */
export class WorkBudget {
  #steps = MAX_STEPS;
  #characters = MAX_CHARACTERS;
  readonly #formats = new Set<string>();

  /** @throws Error when the steps are used up */
  step(count: number): void {
    this.#steps -= count;
    if (!(this.#steps >= 0)) throw new Error(`takes more than ${MAX_STEPS} steps`);
  }

  /** Charges characters or elements. The name is that of liquidjs' limiter, whose filters call it. */
  use(count: number): void {
    if (!(count > 0)) return;
    this.#characters -= count;
    if (this.#characters < 0) throw new Error(`handles more than ${MAX_CHARACTERS} characters`);
  }

  /** What liquidjs calls with the time before each part of a template: we count parts instead. */
  check(): void {
    this.step(1);
  }

  /**
   * Charges a value that was read or made, by its size: of a list, that of everything in it, as often as it is in it. A list
   * that was put into itself again and again takes little room and no end of time.
   */
  charge(value: unknown, depth = 1): void {
    if (typeof value === 'string') this.use(value.length);
    else if (Array.isArray(value)) this.#chargeList(value, depth);
  }

  /** Charges a list of so many elements that is about to be made. */
  chargeElements(count: number): void {
    if (count > 0) this.step(1 + Math.floor(count / 4));
  }

  /** Charges the use of a format. What it costs depends on what this device's texts asked for before, and on nothing else. */
  chargeFormat(name: string): void {
    this.step(this.#formats.has(name) ? FORMAT_STEPS : NEW_FORMAT_STEPS);
    this.#formats.add(name);
  }

  #chargeList(list: readonly unknown[], depth: number): void {
    if (depth > MAX_LIST_DEPTH) throw new Error(`has lists nested more than ${MAX_LIST_DEPTH} levels deep`);
    this.step(1 + (list.length >> 2));
    for (const element of list) this.charge(element, depth + 1);
  }
}

const weights = new WeakMap<Template, number>();

/** What a part of a template costs each time it is run, in steps: as many as it has operands, filters and arguments. */
export function weightOf(template: Template): number {
  let weight = weights.get(template);
  if (weight === undefined) weights.set(template, (weight = weigh(template)));
  return weight;
}

/** The parts inside a part; those of a template that stands alone are its own. */
export function childrenOf(template: Template): Template[] {
  return template.children === undefined ? [] : toValueSync<Template[]>(template.children(false, true));
}

function weigh(template: Template): number {
  let weight = 1;
  for (const argument of template.arguments?.() ?? []) {
    if (!(argument instanceof Value)) weight += 1;
    else
      weight += argument.initial.postfix.length + argument.filters.reduce((sum, { args }) => sum + 1 + args.length, 0);
  }
  return weight;
}
