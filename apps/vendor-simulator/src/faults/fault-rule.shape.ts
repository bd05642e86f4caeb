import { between, flag, object, type Shape, text, whole, word } from '../shape/shape';
import { type Violation, violationsOf } from '../shape/violations';
import { VENDOR_API_NAMES } from '../vendors/vendor-api';
import { RESET_CODES } from '../wire/exchange';
import type { FaultRule } from './fault-rule';

const MOST_RULES = 1_000;
const TEN_MINUTES_MS = 600_000;

const MATCH = object({
  token: text(),
  prefix: text(),
  share: between(0, 1),
  after: whole(0),
  times: whole(1),
  timesPerToken: whole(1),
});

const RETRY_AFTER: Shape = text(/^\d+$|GMT$/, 'seconds, or an HTTP date');

/** The fields of each kind of fault, beside its `kind`. */
const FAULTS: Record<FaultRule['fault']['kind'], { fields: Record<string, Shape>; required?: string[] }> = {
  dead_token: { fields: {} },
  invalid_token: { fields: {} },
  status: { fields: { http: whole(200, 599), code: text(), retryAfter: RETRY_AFTER }, required: ['http'] },
  slow: { fields: { ms: whole(0, TEN_MINUTES_MS) }, required: ['ms'] },
  hang: { fields: {} },
  reset: { fields: { code: word(...Object.keys(RESET_CODES)), taken: flag } },
  goaway: { fields: { every: whole(1) }, required: ['every'] },
  close: { fields: { taken: flag } },
  bad_body: { fields: { http: whole(200, 599) } },
};

/**
 * Reads rules as they came over the control port.
 *
 * @returns the rules, or one sentence per thing that is wrong with them
 */
export function parseFaultRules(value: unknown): { rules: FaultRule[] } | { problems: string[] } {
  if (!Array.isArray(value)) return { problems: ['expected a list of rules'] };
  if (value.length > MOST_RULES) return { problems: [`expected ${MOST_RULES} rules at most`] };
  const problems = value.flatMap((rule: unknown, index) =>
    violationsOf(shapeOf(rule), plain(rule), `[${index}]`).map(sentence),
  );
  return problems.length > 0 ? { problems } : { rules: value as FaultRule[] };
}

function shapeOf(rule: unknown): Shape {
  const kind = (rule as { fault?: { kind?: unknown } } | null)?.fault?.kind;
  const known =
    typeof kind === 'string' && Object.hasOwn(FAULTS, kind) ? FAULTS[kind as keyof typeof FAULTS] : undefined;
  const kinds = word(...Object.keys(FAULTS));
  const fault = object({ kind: kinds, ...known?.fields }, ['kind', ...(known?.required ?? [])]);
  return object({ vendor: word('*', ...VENDOR_API_NAMES), match: MATCH, fault }, ['vendor', 'fault']);
}

/** `retryAfter` may be a number too; its shape is written for text. */
function plain(rule: unknown): unknown {
  const fault = (rule as { fault?: { retryAfter?: unknown } } | null)?.fault;
  if (typeof fault?.retryAfter !== 'number') return rule;
  return { ...(rule as object), fault: { ...fault, retryAfter: String(fault.retryAfter) } };
}

function sentence({ kind, field, name, expected }: Violation): string {
  if (kind === 'unknown') return `${field} has an unknown field ${JSON.stringify(name)}`;
  if (kind === 'missing') return `${field} lacks ${JSON.stringify(name)}`;
  return `${field} must be ${expected ?? 'something else'}`;
}
