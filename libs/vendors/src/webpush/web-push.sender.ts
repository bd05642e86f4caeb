import type { SendOutcome, WebPushPayload } from '@postrider/domain';
import type { Http2Request, Http2Result } from '../http2/http2-call';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import { retryAfterMs } from '../outcome/retry-after';
import {
  type CheckResult,
  EXPIRED,
  type SendCallback,
  type Sender,
  type SenderCapacity,
  type SenderOptions,
  type PushRequest,
  ttlSecondsAt,
} from '../sender';
import { encrypt, type SubscriberKeys } from './encrypt';
import { OriginPools } from './origin-pools';
import { Vapid, type WebPushCredentials } from './vapid';

/** RFC 8291 §4: what fits one record of 4,096 bytes. */
const MAX_PLAINTEXT_BYTES = 3_993;

/** The push service holds all that one may: subscriptions come from strangers, and no host of theirs stops the others. */
const HOST_BUSY: SendOutcome = {
  kind: 'throttled',
  code: 'HOST_BUSY',
  reason: 'The push service does not answer earlier requests',
  scope: 'token',
  retryAfterMs: null,
};

const plaintexts = new WeakMap<WebPushPayload, Buffer>();

/** Sends to browsers through whichever push service their subscription names. */
export class WebPushSender implements Sender {
  readonly vendor = 'webpush';
  readonly #pools: OriginPools;
  readonly #vapid: Vapid;

  constructor(
    credentials: WebPushCredentials,
    private readonly options: SenderOptions,
  ) {
    this.#vapid = new Vapid(credentials, options.clock);
    this.#pools = new OriginPools(options);
  }

  get capacity(): SenderCapacity {
    return this.#pools;
  }

  send(request: PushRequest, done: SendCallback): void {
    const { payload } = request;
    if (payload.vendor !== 'webpush') {
      done(wrongPayload(payload.vendor, this.vendor));
      return;
    }
    const subscription = parseSubscription(request.token);
    if (!subscription) {
      done(unusable('The token is not a push subscription'));
      return;
    }
    const body = bodyFor(payload, subscription);
    if (!Buffer.isBuffer(body)) {
      done(body);
      return;
    }
    const { endpoint } = subscription;
    const host = this.#pools.begin(endpoint);
    if (host === null) {
      done(HOST_BUSY);
      return;
    }
    host.pool.send({
      compose: () => this.#compose(request, payload, endpoint, body),
      done: (result) => {
        this.#pools.end(host, result.kind === 'answer');
        done(result.kind === 'withdrawn' ? EXPIRED : this.#read(result));
      },
    });
  }

  #compose(request: PushRequest, payload: WebPushPayload, endpoint: URL, body: Buffer): Http2Request | 'withdrawn' {
    const now = this.options.clock.now().getTime();
    if (now >= request.lastCallAt) return 'withdrawn';
    const headers = {
      ':method': 'POST',
      ':path': endpoint.pathname + endpoint.search,
      authorization: this.#vapid.authorization(endpoint.origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSecondsAt(now, request)),
      urgency: payload.urgency,
    };
    return { headers, body };
  }

  /** A VAPID pair is only ours: nobody can be asked if it works, so the check only tries to sign. */
  check(): Promise<CheckResult> {
    try {
      this.#vapid.authorization('https://push.example');
      return Promise.resolve({ ok: true });
    } catch (error) {
      return Promise.resolve({ ok: false, code: 'BAD_KEY', reason: (error as Error).message });
    }
  }

  close(): Promise<void> {
    return this.#pools.close();
  }

  #read(result: Exclude<Http2Result, { kind: 'withdrawn' }>): SendOutcome {
    if (result.kind === 'answer') return readWebPushAnswer(result, this.options.clock.now());
    const outcome = outcomeOfFailure(result);
    // The endpoint is the device's, not the application's: one that we must not call costs that device alone.
    return outcome.kind === 'config' ? { ...outcome, kind: 'token_invalid' } : outcome;
  }
}

function bodyFor(payload: WebPushPayload, subscription: Subscription): Buffer | SendOutcome {
  let plaintext = plaintexts.get(payload);
  if (!plaintext) {
    plaintext = Buffer.from(JSON.stringify(payload.body));
    if (!payload.isForOne) plaintexts.set(payload, plaintext);
  }
  if (plaintext.length > MAX_PLAINTEXT_BYTES) {
    const reason = `The payload has ${plaintext.length} bytes, ${MAX_PLAINTEXT_BYTES} are allowed`;
    return { kind: 'request_invalid', code: 'PAYLOAD_TOO_LARGE', reason };
  }
  try {
    return encrypt(plaintext, subscription.keys);
  } catch {
    return unusable('The key of the subscription is not a point of P-256');
  }
}

function unusable(reason: string): SendOutcome {
  return { kind: 'token_invalid', code: 'BAD_SUBSCRIPTION', reason };
}

/** The values that a browser returned when it subscribed. */
interface Subscription {
  endpoint: URL;
  keys: SubscriberKeys;
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/**
 * Reads a device token that is the JSON text of a PushSubscription.
 *
 * @returns null when it cannot be one
 */
function parseSubscription(token: string): Subscription | null {
  const value = parseJson(token) as { endpoint?: unknown; keys?: { p256dh?: unknown; auth?: unknown } | null } | null;
  const endpoint = webAddress(value?.endpoint);
  const p256dh = bytes(value?.keys?.p256dh, POINT_BYTES);
  const auth = bytes(value?.keys?.auth, AUTH_BYTES);
  return endpoint && p256dh && auth ? { endpoint, keys: { p256dh, auth } } : null;
}

function webAddress(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function bytes(text: unknown, length: number): Buffer | null {
  if (typeof text !== 'string') return null;
  const buffer = Buffer.from(text, 'base64url');
  return buffer.length === length ? buffer : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The meaning of a push service's status (RFC 8030; RFC 8292 for 401 and 403). */
const WEB_PUSH_STATUSES: Readonly<Record<number, Exclude<SendOutcome['kind'], 'ambiguous'>>> = {
  200: 'accepted',
  201: 'accepted',
  202: 'accepted',
  400: 'request_invalid',
  // The key is not the one the browser subscribed with: ours changed, or this browser subscribed with another one.
  401: 'mismatch',
  403: 'mismatch',
  404: 'token_invalid',
  410: 'token_invalid',
  413: 'request_invalid',
  429: 'throttled',
};

/** Returns the meaning of an answer of a push service. */
function readWebPushAnswer(
  answer: { status: number; headers: Record<string, string | string[] | undefined>; body: string },
  now: Date,
): SendOutcome {
  const { status, headers } = answer;
  const kind = WEB_PUSH_STATUSES[status] ?? (status >= 500 || status === 408 ? 'retryable' : 'request_invalid');
  const code = `HTTP_${status}`;
  const reason = `The push service answered ${status}${answer.body === '' ? '' : `: ${answer.body.slice(0, 200)}`}`;
  const afterMs = retryAfterMs(headers['retry-after'], now);
  if (kind === 'accepted') {
    return { kind, vendorMessageId: typeof headers.location === 'string' ? headers.location : null };
  }
  if (kind === 'throttled') return { kind, code, reason, scope: 'route', retryAfterMs: afterMs };
  if (kind === 'retryable') return { kind, code, reason, retryAfterMs: afterMs };
  return { kind, code, reason };
}
