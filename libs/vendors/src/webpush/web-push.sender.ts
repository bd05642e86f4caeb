import type { SendOutcome, WebPushPayload } from '@postrider/domain';
import type { Http2Request, Http2Result } from '../http2/http2-call';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import { EXPIRED, ttlSecondsAt } from '../remaining-life';
import type { CheckResult, SendCallback, Sender, SenderCapacity, SendRequest } from '../sender';
import type { SenderOptions } from '../sender-options';
import { encrypt } from './encrypt';
import { OriginPools } from './origin-pools';
import { readWebPushAnswer } from './read-web-push-answer';
import { parseSubscription, type Subscription } from './subscription';
import { Vapid } from './vapid';
import type { WebPushCredentials } from './web-push-credentials';

/** RFC 8291 §4: what fits one record of 4,096 bytes. */
const MAX_PLAINTEXT_BYTES = 3_993;

/** The push service holds all that one may: subscriptions come from strangers, and no host of theirs stops the others. */
const HOST_BUSY: SendOutcome = {
  kind: 'throttled',
  code: 'HOST_BUSY',
  reason: 'The push service does not answer what it was sent before',
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

  send(request: SendRequest, done: SendCallback): void {
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

  #compose(request: SendRequest, payload: WebPushPayload, endpoint: URL, body: Buffer): Http2Request | 'withdrawn' {
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

  /** A VAPID pair belongs to nobody but us: there is no one to ask whether it works, beyond being able to sign. */
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
