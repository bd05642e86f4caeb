import { type Template, toValueSync, Value } from 'liquidjs';

/** Steps for one device: far more than a text for a person needs, and about a millisecond. */
const MAX_STEPS = 5_000;
/** Characters read, made and written for one device: as much as many payloads. */
const MAX_CHARACTERS = 262_144;
/** How deep lists may be nested. */
const MAX_LIST_DEPTH = 32;
/** The cost of a number or date format on first use: making one takes as long as this many steps. */
const NEW_FORMAT_STEPS = 250;
/** The cost of using it. */
const FORMAT_STEPS = 20;

/**
 * The work that the templates of one message may do for one device. It is counted, not timed, so that the limit does
 * not depend on the machine or its load.
 */
export class WorkBudget {
  #steps = MAX_STEPS;
  #characters = MAX_CHARACTERS;
  readonly #formats = new Set<string>();

  /** @throws Error if the steps are used up */
  step(count: number): void {
    this.#steps -= count;
    if (!(this.#steps >= 0)) throw new Error(`takes more than ${MAX_STEPS} steps`);
  }

  /**
   * Charges characters or elements. The name is that of liquidjs' limiter, whose filters call it.
   *
   * @throws Error if the characters are used up
   */
  use(count: number): void {
    if (!(count > 0)) return;
    this.#characters -= count;
    if (this.#characters < 0) throw new Error(`handles more than ${MAX_CHARACTERS} characters`);
  }

  /** liquidjs calls it with the time before each part of a template. We count parts instead. */
  check(): void {
    this.step(1);
  }

  /**
   * Charges a value that was read or made, by its size. For a list, this is the size of everything in it, each time it
   * occurs. A list that contains itself many times is small, but takes endless time.
   */
  charge(value: unknown, depth = 1): void {
    if (typeof value === 'string') this.use(value.length);
    else if (Array.isArray(value)) this.#chargeList(value, depth);
  }

  /** Charges a list of this many elements that is about to be made. */
  chargeElements(count: number): void {
    if (count > 0) this.step(1 + Math.floor(count / 4));
  }

  /** Charges the use of a format. Its cost depends only on what this device's texts used before. */
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

/** The cost in steps of a part of a template each time it runs: the number of its operands, filters and arguments. */
export function weightOf(template: Template): number {
  let weight = weights.get(template);
  if (weight === undefined) weights.set(template, (weight = weigh(template)));
  return weight;
}

/** The parts inside a part. Those of a template without a parent are its own. */
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
