import { type Context, evalTokenValue, type RangeToken, type Token, TypeGuards, Tokenizer } from 'liquidjs';
import { TemplateContext } from './template-context';

/** What liquidjs evaluates for a value with filters. */
interface EvaluatedToken {
  kind: unknown;
  initial: { postfix: Token[]; evaluate(context: Context): IterableIterator<unknown> };
  filters: never[];
}

interface RangeReader {
  readGroupOrRange(): RangeToken | Token | undefined;
}

/**
 * Makes every range of a template (`(1..user.n)`, in whatever tag or filter) check its bounds before liquidjs makes its
 * values: liquidjs adds 1 until it is past the upper bound, which never happens from 2^53 on. The upper bound is the place
 * for it: it is evaluated last, and each time.
 */
export function boundRanges(): void {
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

/** Bounds that are no numbers make an empty range, as ever. */
function chargeRange({ scope }: TemplateContext, low: number, high: number): void {
  if (Number.isNaN(low) || Number.isNaN(high)) return;
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high)) {
    throw new Error(`has a range whose bounds are not whole numbers up to ${Number.MAX_SAFE_INTEGER}: ${low}..${high}`);
  }
  scope.budget.chargeElements(high - low + 1);
}
