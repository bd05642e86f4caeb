import { parseJsonObject, type SendOutcome } from '@postrider/domain';
import { classIn } from '../outcome/class-in';
import { retryAfterMs } from '../outcome/retry-after';

/** The meaning of a code of Huawei Push Kit. */
type HmsErrorClass =
  | 'accepted'
  /** Only the tokens listed in `msg` are dead; the others were accepted. */
  | 'partial'
  | 'token_invalid'
  | 'request_invalid'
  | 'config'
  | 'throttled'
  | 'retryable'
  /** Nobody knows if the message was accepted. */
  | 'ambiguous'
  | 'auth_refresh';

/** Classes by the `code` in the body; errors also come with HTTP 200. */
const HMS_CODES: Readonly<Record<string, HmsErrorClass>> = {
  '80000000': 'accepted',
  '80100000': 'partial',
  '80100001': 'request_invalid',
  '80100003': 'request_invalid',
  '80100004': 'request_invalid',
  '80100013': 'request_invalid',
  '80100016': 'request_invalid',
  '80100017': 'throttled',
  '80100018': 'request_invalid',
  '80200001': 'auth_refresh',
  '80200003': 'auth_refresh',
  '80200005': 'auth_refresh',
  '80300002': 'config',
  '80300007': 'token_invalid',
  '80300008': 'request_invalid',
  '80300010': 'request_invalid',
  '80300011': 'config',
  '80300013': 'config',
  // Huawei's own sign-in service has a fault.
  '80600003': 'retryable',
  '81000001': 'retryable',
};

/** True for the answer of whatever stands in Huawei's place: a wrong address, or a gateway that wants a sign-in first. */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Returns the class by HTTP status, if the body has no code of the table. */
function classOfHmsStatus(status: number): HmsErrorClass {
  if (status === 401) return 'auth_refresh';
  if (isRedirect(status) || status === 403 || status === 404) return 'config';
  if (status === 429 || status === 503) return 'throttled';
  if (status === 408 || status >= 500) return 'retryable';
  return 'request_invalid';
}

/** Each answer of Huawei has a code. One of success without it may come from a proxy, or be cut off. */
function classOf(code: string | undefined, status: number): HmsErrorClass {
  if (code === undefined && status < 300) return 'ambiguous';
  return classIn(HMS_CODES, code ?? '') ?? classOfHmsStatus(status);
}

/** An HTTP answer of Push Kit. */
interface HmsAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** The meaning of an answer: for each token of the request, or that the access token was refused. */
export type HmsResult =
  | { kind: 'outcomes'; outcomeOf: (token: string) => SendOutcome }
  | { kind: 'auth_refresh'; code: string; reason: string };

/** A request that was answered. */
interface HmsRequest {
  tokenCount: number;
  /** True if Huawei has accepted a message at the same address. */
  isProven: boolean;
}

/** Returns the meaning of an answer to a request. */
export function readHmsAnswer(answer: HmsAnswer, request: HmsRequest, now: Date): HmsResult {
  const { code: said, msg = '', requestId } = parse(answer.body);
  const code = said ?? `HTTP_${answer.status}`;
  const kind = classOf(said, answer.status);
  const reason = `Huawei answered ${code} ${msg}`.trimEnd();
  if (kind === 'auth_refresh') return { kind, code, reason };
  const accepted: SendOutcome = { kind: 'accepted', vendorMessageId: requestId ?? null };
  if (kind === 'accepted') return all(accepted);
  if (kind === 'partial') return partial(msg, accepted, code);
  const blamed = kind === 'token_invalid' && !mayAllBeDead(request) ? 'config' : kind;
  return all(refusal(blamed, code, reason, retryAfterMs(answer.headers['retry-after'], now)));
}

/** More tokens are not dead together by chance. */
const MOST_DEAD_IN_BATCH = 20;

/**
 * Every token at once is also what a wrong app id in the address looks like: no device pays for that. If the address has
 * worked, a few tokens may well be dead together: all those of a user who removed the app.
 */
function mayAllBeDead({ tokenCount, isProven }: HmsRequest): boolean {
  return tokenCount === 1 || (isProven && tokenCount <= MOST_DEAD_IN_BATCH);
}

function refusal(
  kind: Exclude<HmsErrorClass, 'auth_refresh' | 'accepted' | 'partial'>,
  code: string,
  reason: string,
  afterMs: number | null,
): SendOutcome {
  if (kind === 'throttled') return { kind, code, reason, scope: 'route', retryAfterMs: afterMs };
  if (kind === 'retryable') return { kind, code, reason, retryAfterMs: afterMs };
  return { kind, code, reason };
}

function all(outcome: SendOutcome): HmsResult {
  return { kind: 'outcomes', outcomeOf: () => outcome };
}

/** `msg` is a JSON text: `{"success":3,"failure":1,"illegal_tokens":["…"]}`. */
function partial(msg: string, accepted: SendOutcome, code: string): HmsResult {
  const { illegal_tokens: listed } = parseJsonObject(msg) ?? {};
  // Without a readable list it is unknown which tokens were accepted, and a second send would reach some twice.
  if (!Array.isArray(listed))
    return all({ kind: 'ambiguous', code, reason: 'Huawei took some tokens and did not say which' });
  const illegal = new Set<unknown>(listed);
  const dead: SendOutcome = { kind: 'token_invalid', code, reason: 'Huawei lists the token as illegal' };
  return { kind: 'outcomes', outcomeOf: (token) => (illegal.has(token) ? dead : accepted) };
}

function parse(body: string): { code?: string; msg?: string; requestId?: string } {
  const { code, msg, requestId } = parseJsonObject(body) ?? {};
  return {
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(typeof msg === 'string' ? { msg } : {}),
    ...(typeof requestId === 'string' ? { requestId } : {}),
  };
}
