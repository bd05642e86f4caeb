import { setTimeout as delay } from 'node:timers/promises';
import { PostriderError, type FailureCode, type RefusedField } from '../postrider-error';
import { asForm, isRepeatable, openFile, type OpenFile } from './file-source';
import { type Access, addressOf, authorizationOf, type CallValues, type OperationFacts } from './request';
import { mayRepeat, type RetryOptions, waitMs } from './retry';

/** The parts of one request. If it has a file, a call makes it again for each attempt. */
interface Attempt {
  address: string;
  method: string;
  headers: Record<string, string>;
  values: CallValues;
  /** Text of a body that is JSON. */
  json?: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The settings of a client that hold for all of its calls. */
export interface TransportOptions extends Access {
  fetch: typeof fetch;
  retry: RetryOptions;
  onRetry: (error: PostriderError, waitMs: number) => void;
  timeoutMs: number;
}

/** The settings of one call. */
export interface TransportCall {
  headers: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** 0: no limit. */
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
}

/** An answer with 2xx. */
export interface Answered<Value> {
  headers: Headers;
  value: Value;
}

/** Codes of Node for a connection that was never made: nothing of the request arrived. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];
const UNKNOWN_AUTHORITY =
  'no known authority signed its certificate; NODE_EXTRA_CA_CERTS can name a file with the certificate of its authority';
/** What OpenSSL says of a setting that is wrong, in words that say what to change. */
const TLS_FAILURES: Readonly<Record<string, string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'this port speaks no TLS; perhaps the address should begin with http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};
/** Codes of Node for a server that does not prove who it is. They do not change within seconds, and nothing was sent to it. */
const UNPROVEN = [
  ...Object.keys(TLS_FAILURES),
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_GET_ISSUER_CERT',
];
/** The reason that `fetch` gives, without a code, for a port that the Fetch standard blocks, such as 1 or 6000. */
const BLOCKED_PORT = 'bad port';
/** The answers that the service gives before it carries anything out, unless they say that the outcome is unknown. */
const REFUSALS = ['RATE_LIMITED', 'UNAVAILABLE'];

/** Makes requests, and repeats those that may be repeated. */
export class Transport {
  constructor(private readonly options: TransportOptions) {}

  /**
   * Calls an operation.
   * @param read takes the value out of the answer; if it fails, no answer came
   * @throws PostriderError for every answer but 2xx and if none came; the reason of `signal` if it is aborted; the
   * error of the file system if a file cannot be read; TypeError if a setting cannot be used
   */
  async call<Value>(
    operation: OperationFacts,
    values: CallValues,
    call: TransportCall,
    read: (answer: Response) => Promise<Value>,
  ): Promise<Answered<Value>> {
    checkNumbers(call);
    const attempt = this.#prepare(operation, values, call);
    const retry = { ...this.options.retry, maxRetries: call.maxRetries ?? this.options.retry.maxRetries };
    const isOnce = values.file !== undefined && !isRepeatable(values.file);
    for (let failures = 0; ;) {
      try {
        return await this.#try(attempt, read);
      } catch (error) {
        if (!(error instanceof PostriderError)) throw error;
        failures += 1;
        error.attempts = failures;
        const isLast = isOnce || failures > retry.maxRetries || !mayRepeat(error, operation.repeat);
        const pauseMs = isLast ? null : waitMs(error, failures, retry);
        if (pauseMs === null) throw error;
        this.options.onRetry(error, pauseMs);
        await pause(pauseMs, call.signal);
      }
    }
  }

  #prepare(operation: OperationFacts, values: CallValues, call: TransportCall): Attempt {
    const headers: Record<string, string> = {
      accept: 'application/json, text/csv;q=0.9, */*;q=0.8',
      ...authorizationOf(this.options, operation),
      ...call.headers,
    };
    const hasJson = values.body !== undefined;
    if (operation.contentType !== undefined && (hasJson || values.file !== undefined)) {
      headers['content-type'] ??= operation.contentType;
    }
    checkHeaders(headers);
    return {
      address: addressOf(this.options, operation, values),
      method: operation.method,
      headers,
      values,
      ...(hasJson ? { json: JSON.stringify(values.body) } : {}),
      timeoutMs: call.timeoutMs ?? (values.file === undefined ? this.options.timeoutMs : 0),
      signal: call.signal,
    };
  }

  async #try<Value>(attempt: Attempt, read: (answer: Response) => Promise<Value>): Promise<Answered<Value>> {
    const { values, timeoutMs, signal } = attempt;
    signal?.throwIfAborted();
    const file = values.file === undefined ? null : await openFile(values.file);
    const limit = new TimeLimit(timeoutMs, signal);
    try {
      const answer = await this.options.fetch(attempt.address, requestOf(attempt, file, limit.signal));
      if (!answer.ok) throw await refusalOf(answer);
      return { headers: answer.headers, value: await read(answer) };
    } catch (error) {
      signal?.throwIfAborted();
      const unread = file?.failure();
      if (unread) throw unread.error;
      const failure = limit.explain(error);
      limit.abandon();
      throw failure;
    } finally {
      limit.end();
      await file?.close();
    }
  }
}

/** NaN would repeat a call without end, and set no limit of time. */
function checkNumbers(call: TransportCall): void {
  for (const name of ['maxRetries', 'timeoutMs'] as const) {
    const value = call[name] ?? 0;
    if (!(value >= 0)) throw new TypeError(`${name} must be a number from 0`);
  }
}

/** A timer of more milliseconds runs at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ends an attempt that takes too long, or that the caller ends. */
class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ms: number,
    callers: AbortSignal | undefined,
  ) {
    if (ms > 0 && ms <= LONGEST_TIMER_MS) this.#timer = setTimeout(() => this.#timeout.abort(), ms);
    this.signal = AbortSignal.any(callers === undefined ? [this.#timeout.signal] : [this.#timeout.signal, callers]);
  }

  /** Why an attempt failed. @param error what `fetch` threw, or the refusal of the service */
  explain(error: unknown): PostriderError {
    if (error instanceof PostriderError) return error;
    return this.#timeout.signal.aborted ? timedOut(this.ms) : unreachable(error);
  }

  /** Ends the connection of an attempt that failed: a refused upload would be sent to its end, or wait for ever. */
  abandon(): void {
    this.#timeout.abort();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** `fetch` refuses such a header with an error that looks like one of the connection, which would be repeated. */
function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new TypeError(`${name} must be text that can stand in a header`);
    }
  }
}

function requestOf({ method, headers, json }: Attempt, file: OpenFile | null, signal: AbortSignal): RequestInit {
  const request = { method, headers, redirect: 'manual', signal } as const;
  if (file === null) return json === undefined ? request : { ...request, body: json };
  if (!headers['content-type']?.startsWith('multipart/')) return { ...request, body: file.chunks, duplex: 'half' };
  const { contentType, body } = asForm(file);
  return { ...request, headers: { ...headers, 'content-type': contentType }, body, duplex: 'half' };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    signal?.throwIfAborted();
  }
}

async function refusalOf(answer: Response): Promise<PostriderError> {
  const text = await answer.text().catch(() => '');
  const requestId = answer.headers.get('x-request-id');
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const place = answer.headers.get('location') ?? 'nowhere';
    return new PostriderError('BAD_ANSWER', `The address leads on to ${place}: give the client that address`, {
      status,
    });
  }
  const { code, message, details, outcome } = errorIn(text);
  return new PostriderError(code ?? `HTTP_${status}`, message ?? `The service answered with the status ${status}`, {
    status,
    details: details ?? [],
    requestId,
    retryAfterMs: retryAfterMs(answer.headers.get('retry-after')),
    isRefused: outcome !== 'unknown' && ((code !== undefined && REFUSALS.includes(code)) || status === 429),
  });
}

/** The error in an answer of the service. An answer of a proxy has none. */
interface AnsweredError {
  code?: FailureCode;
  message?: string;
  details?: RefusedField[];
  outcome?: string;
}

function errorIn(text: string): AnsweredError {
  try {
    return (JSON.parse(text) as { error?: AnsweredError }).error ?? {};
  } catch {
    return {};
  }
}

/** `Retry-After` is a number of seconds or a time (RFC 9110 §10.2.3). */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(seconds, 0) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - Date.now(), 0);
}

function timedOut(timeoutMs: number): PostriderError {
  return new PostriderError('TIMEOUT', `No answer came within ${timeoutMs} ms`);
}

/**
 * Why a request of `fetch` got no answer, and what to change if the reason is a certificate.
 *
 * @param failure what `fetch` threw
 */
export function reasonOfNoAnswer(failure: unknown): string {
  const { cause, message } = failure as Error & { cause?: { code?: string; message?: string } };
  if (isBlockedPort(failure)) return 'fetch calls no address with this port: use another port for the gateway';
  return TLS_FAILURES[cause?.code ?? ''] ?? (cause?.message ?? message).trim();
}

function isBlockedPort(failure: unknown): boolean {
  return (failure as { cause?: { message?: string } }).cause?.message === BLOCKED_PORT;
}

function unreachable(cause: unknown): PostriderError {
  const code = (cause as { cause?: { code?: string } }).cause?.code ?? '';
  const why = reasonOfNoAnswer(cause);
  const isLasting = UNPROVEN.includes(code) || isBlockedPort(cause);
  const isRefused = isLasting || NOT_CONNECTED.includes(code);
  return new PostriderError('UNREACHABLE', `The service did not answer: ${why}`, { isRefused, isLasting, cause });
}
