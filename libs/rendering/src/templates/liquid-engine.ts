import {
  type Context,
  defaultOperators,
  type Emitter,
  Liquid,
  LiquidError,
  type Operators,
  RenderError,
  type Template,
  evalTokenValue,
  type RangeToken,
  type Token,
  TypeGuards,
  Tokenizer,
  Value,
} from 'liquidjs';
import { BoundedEmitter } from './bounded-emitter';
import { FILTERS } from './filters/filters';
import { scopeOf, TemplateContext } from './template-context';
import { weightOf } from './work-budget';

/** The token that liquidjs evaluates for a value with filters. */
interface EvaluatedToken {
  kind: unknown;
  initial: { postfix: Token[]; evaluate(context: Context): IterableIterator<unknown> };
  filters: never[];
}

interface DefaultedValue {
  initial: { evaluate(context: Context, isLenient?: boolean): IterableIterator<unknown> };
  filters: { name: string; render(value: unknown, context: Context): IterableIterator<unknown> }[];
  value(context: Context, isLenient?: boolean): Generator<unknown, unknown, unknown>;
}

/**
 * Makes a variable with the filter `default`, anywhere among its filters, one that nobody misses: its text says what
 * stands in its place.
 */
function expectDefaults(): void {
  const values = Value.prototype as unknown as DefaultedValue;
  const read = values.value;
  values.value = function* (this: DefaultedValue, context, isLenient) {
    const hasDefault = this.filters.some(({ name }) => name === 'default');
    if (!hasDefault || !(context instanceof TemplateContext)) return yield* read.call(this, context, isLenient);
    context.hasDefault = true;
    let value: unknown = yield this.initial.evaluate(context, isLenient);
    context.hasDefault = false;
    for (const filter of this.filters) value = yield filter.render(value, context);
    return value;
  };
}

interface RangeReader {
  readGroupOrRange(): RangeToken | Token | undefined;
}

/**
 * Makes every range of a template (`(1..user.n)`, in any tag or filter) check its bounds before liquidjs makes its
 * values. liquidjs adds 1 until it is past the upper bound, which never happens from 2^53 on. The check is at the upper
 * bound, because it is evaluated last, and each time.
 */
function boundRanges(): void {
  const reader = Tokenizer.prototype as unknown as RangeReader;
  const read = reader.readGroupOrRange;
  reader.readGroupOrRange = function (this: RangeReader) {
    const token = read.call(this);
    if (token !== undefined && TypeGuards.isRangeToken(token)) token.rhs = checkedBound(token) as never;
    return token;
  };
}

function checkedBound({ lhs, rhs }: RangeToken): EvaluatedToken {
  const filteredValue = new Tokenizer('x').readFilteredValue().kind;
  return {
    kind: filteredValue,
    filters: [],
    initial: {
      postfix: [rhs],
      *evaluate(context) {
        const low = Number(yield evalTokenValue(lhs, context));
        const high = Number(yield evalTokenValue(rhs, context));
        if (context instanceof TemplateContext) chargeRange(context, low, high);
        return high;
      },
    },
  };
}

/** Bounds that are not numbers make an empty range, as before. */
function chargeRange({ scope }: TemplateContext, low: number, high: number): void {
  if (Number.isNaN(low) || Number.isNaN(high)) return;
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high)) {
    throw new Error(`has a range whose bounds are not whole numbers up to ${Number.MAX_SAFE_INTEGER}: ${low}..${high}`);
  }
  scope.budget.chargeElements(high - low + 1);
}

/** Operators that walk through lists and search texts, or write lists out to compare them. */
const COMPARING = ['==', '!=', 'contains', '<', '>', '<=', '>='];

/** Tags that read other files, and tags that count in variables which outlive a text, are left out. */
const TAGS = [
  '#',
  'assign',
  'break',
  'capture',
  'case',
  'comment',
  'continue',
  'cycle',
  'echo',
  'for',
  'if',
  'liquid',
  'raw',
  'unless',
];

/**
 * The one Liquid of this process: no files, no prototypes, no filter or tag that is not listed, and every step of a
 * text charged to its budget.
 */
export const ENGINE = createEngine();

function createEngine(): Liquid {
  boundRanges();
  expectDefaults();
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    operators: chargedOperators(),
  });
  for (const name of Object.keys(engine.tags)) if (!TAGS.includes(name)) Reflect.deleteProperty(engine.tags, name);
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  for (const [name, filter] of Object.entries(FILTERS)) engine.registerFilter(name, filter);
  engine.renderer.renderTemplates = renderTemplates;
  return engine;
}

/** Like liquidjs, with each part charged by its size. */
function* renderTemplates(templates: Template[], context: Context, given?: Emitter): IterableIterator<unknown> {
  const { budget } = scopeOf(context);
  const emitter = given ?? new BoundedEmitter(budget);
  budget.step(1);
  for (const template of templates) {
    budget.step(weightOf(template));
    try {
      const html: unknown = yield template.render(context, emitter);
      if (html) emitter.write(html);
    } catch (error) {
      throw LiquidError.is(error) ? (error as Error) : new RenderError(error as Error, template);
    }
    if (context.breakCalled || context.continueCalled) break;
  }
  return emitter.buffer;
}

function chargedOperators(): Operators {
  const charge = (context: Context, ...values: unknown[]): void => {
    for (const value of values) scopeOf(context).budget.charge(value);
  };
  const operators: Operators = { ...defaultOperators };
  for (const name of COMPARING) {
    const compare = defaultOperators[name] as (left: unknown, right: unknown, context: Context) => boolean;
    operators[name] = (left: unknown, right: unknown, context: Context) => {
      charge(context, left, right);
      return compare(left, right, context);
    };
  }
  return operators;
}
