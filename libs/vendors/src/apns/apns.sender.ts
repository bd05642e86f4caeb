import { type ApnsPayload, type PayloadFilling, TextWithGaps } from '@postrider/domain';
import { randomUUID } from 'node:crypto';
import { type OutgoingHttpHeaders, sensitiveHeaders } from 'node:http2';
import type { Http2Request, Http2Result } from '../http2/http2-call';
import { Http2Pool } from '../http2/http2-pool';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import {
  type CheckResult,
  EXPIRED,
  type SendCallback,
  type Sender,
  type SenderCapacity,
  type SenderOptions,
  sendOnce,
  type PushRequest,
  ttlSecondsAt,
} from '../sender';
import { ConnectionTokens, type ProviderToken, providerToken } from './provider-token';
import { readApnsAnswer } from './read-apns-answer';

/** A token signing key of an Apple developer team, and the application it sends to. */
export type ApnsCredentials = {
  keyId: string;
  teamId: string;
  /** The bundle id. */
  topic: string;
  environment: 'production' | 'sandbox';
  /** Base address, the vendor's by default. */
  endpoint: string;
  /** PEM of the only certificate authority to trust, for an endpoint of one's own. */
  ca?: string;
  /** PEM, EC P-256. */
  privateKey: string;
};

/** The addresses of APNs. */
export const APNS_ENDPOINTS: Record<ApnsCredentials['environment'], string> = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
};

const HEX = /^[0-9a-fA-F]{1,512}$/;
const MADE_UP_TOKEN = '0'.repeat(64);
/** The connection saw two provider tokens too soon: it accepts nothing more, but others do. */
const CONNECTION_SPENT = 'TooManyProviderTokenUpdates';

const bodies = new WeakMap<ApnsPayload, Buffer>();
const bodiesWithGaps = new WeakMap<ApnsPayload, TextWithGaps>();

/** Sends through APNs with a provider token (ES256). */
export class ApnsSender implements Sender, SenderCapacity {
  readonly vendor = 'apns';
  readonly capacity = this;
  readonly #pool: Http2Pool;
  readonly #providerToken: ProviderToken;
  readonly #connectionTokens: ConnectionTokens;
  #waitingForToken = 0;

  constructor(
    private readonly credentials: ApnsCredentials,
    private readonly options: SenderOptions,
  ) {
    this.#providerToken = providerToken(credentials, options.clock, options.providerTokens ?? null);
    this.#connectionTokens = new ConnectionTokens(this.#providerToken);
    this.#pool = new Http2Pool({
      origin: new URL(credentials.endpoint),
      allowPrivateEndpoints: options.allowPrivateEndpoints,
      ...(options.proxy ? { proxy: options.proxy } : {}),
      firstStreamAlone: true,
      // 429 is about one device here.
      isOverload: (status) => status >= 500,
      isRefusal: (status, body) => status === 429 && body.includes(CONNECTION_SPENT),
      ...(options.http2Client ? { client: options.http2Client } : {}),
      ...(credentials.ca ? { ca: credentials.ca } : {}),
      ...(options.maxSessions ? { maxSessions: options.maxSessions } : {}),
      ...(options.maxInFlight ? { maxInFlight: options.maxInFlight } : {}),
      ...(options.deadlineMs ? { deadlineMs: options.deadlineMs } : {}),
    });
  }

  free(): number {
    return Math.max(0, this.#pool.free() - this.#waitingForToken);
  }

  whenFree(callback: () => void): void {
    if (this.free() > 0) callback();
    else if (this.#waitingForToken > 0) void this.#providerToken.renewed().then(() => this.whenFree(callback));
    else this.#pool.whenFree(callback);
  }

  send(request: PushRequest, done: SendCallback): void {
    const { payload } = request;
    if (payload.vendor !== 'apns') {
      done(wrongPayload(payload.vendor, this.vendor));
      return;
    }
    if (!HEX.test(request.token)) {
      done({ kind: 'token_invalid', code: 'BadDeviceToken', reason: 'The token is not hexadecimal' });
      return;
    }
    this.#post(request, payload, done, true);
  }

  async check(): Promise<CheckResult> {
    const payload: ApnsPayload = {
      vendor: 'apns',
      body: { aps: { 'content-available': 1 } },
      pushType: 'background',
      priority: 5,
    };
    const expiresAt = this.options.clock.now();
    const request = { deliveryId: randomUUID(), token: MADE_UP_TOKEN, payload, expiresAt, lastCallAt: Infinity };
    const outcome = await sendOnce(this, request);
    // APNs finds fault with the made-up device only after it took the provider token and the topic.
    if (outcome.kind === 'accepted' || outcome.code === 'BadDeviceToken' || outcome.code === 'Unregistered') {
      return { ok: true };
    }
    return { ok: false, code: outcome.code, reason: outcome.reason };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #post(request: PushRequest, payload: ApnsPayload, done: SendCallback, mayRefresh: boolean): void {
    if (this.#providerToken.current(this.#now()) === null) {
      this.#postWithToken(request, payload, done, mayRefresh);
      return;
    }
    let used = '';
    this.#pool.send({
      compose: (connection): Http2Request | 'elsewhere' | 'withdrawn' => {
        const now = this.#now();
        if (now >= request.lastCallAt) return 'withdrawn';
        const token = this.#connectionTokens.next(connection, now);
        if (token === null) return 'withdrawn';
        if (token === 'elsewhere') return token;
        used = token.value;
        const { topic } = this.credentials;
        return {
          headers: apnsHeaders(request, payload, { topic, providerToken: token.value, now }),
          body: bodyOf(payload),
        };
      },
      done: (result) => {
        if (result.kind === 'withdrawn') {
          if (this.#now() >= request.lastCallAt) done(EXPIRED);
          else this.#postWithToken(request, payload, done, mayRefresh);
          return;
        }
        const outcome = this.#read(result);
        if (outcome.kind !== 'auth_refresh') {
          done(outcome);
          return;
        }
        const refused = (): void => done({ kind: 'config', code: outcome.code, reason: outcome.reason });
        if (!mayRefresh) refused();
        else this.#postAgain(request, payload, used, { done, refused });
      },
    });
  }

  /** There is no provider token to use: the request waits for one. */
  #postWithToken(request: PushRequest, payload: ApnsPayload, done: SendCallback, mayRefresh: boolean): void {
    this.#waitingForToken++;
    void this.#providerToken.renewed().then(() => {
      this.#waitingForToken--;
      this.#post(request, payload, done, mayRefresh);
    });
  }

  /** APNs called the provider token `used` expired: the request goes out with another one, if there may be one. */
  #postAgain(
    request: PushRequest,
    payload: ApnsPayload,
    used: string,
    { done, refused }: { done: SendCallback; refused: () => void },
  ): void {
    void this.#providerToken.replace(used).then((isReplaced) => {
      if (isReplaced) this.#post(request, payload, done, false);
      else refused();
    });
  }

  #now(): number {
    return this.options.clock.now().getTime();
  }

  #read(result: Exclude<Http2Result, { kind: 'withdrawn' }>): ReturnType<typeof readApnsAnswer> {
    return result.kind === 'answer' ? readApnsAnswer(result, this.options.clock.now()) : outcomeOfFailure(result);
  }
}

function bodyOf(payload: ApnsPayload): Buffer | string {
  if (payload.filling !== undefined) return filledBody(payload.filling);
  let body = bodies.get(payload);
  if (!body) {
    body = Buffer.from(JSON.stringify(payload.body));
    if (!payload.isForOne) bodies.set(payload, body);
  }
  return body;
}

function filledBody({ shape, nonce, values }: PayloadFilling<ApnsPayload>): string {
  let body = bodiesWithGaps.get(shape);
  if (!body) bodiesWithGaps.set(shape, (body = new TextWithGaps(JSON.stringify(shape.body), nonce)));
  return body.fill(values);
}

/** Differs in every request: an entry in the connection's header table would only push out one that repeats. */
const NEVER_INDEXED = ['apns-id'];

/** The headers of one request (Apple, Sending notification requests to APNs). */
function apnsHeaders(
  request: PushRequest,
  payload: ApnsPayload,
  { topic, providerToken, now }: { topic: string; providerToken: string; now: number },
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders & { [sensitiveHeaders]?: string[] } = {
    ':method': 'POST',
    ':path': `/3/device/${request.token}`,
    authorization: `bearer ${providerToken}`,
    'apns-id': request.deliveryId,
    'apns-topic': topic,
    'apns-push-type': payload.pushType,
    'apns-priority': payload.priority === 10 ? '10' : '5',
    // 0: one try, not stored. A moment: APNs keeps the message until then if the device is away.
    'apns-expiration': ttlSecondsAt(now, request) === 0 ? '0' : String(Math.floor(request.expiresAt.getTime() / 1_000)),
    [sensitiveHeaders]: NEVER_INDEXED,
  };
  if (payload.collapseId !== undefined) headers['apns-collapse-id'] = payload.collapseId;
  return headers;
}
