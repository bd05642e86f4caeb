import { type ApnsPayload, type PayloadFilling, TextWithGaps } from '@postrider/domain';
import { randomUUID } from 'node:crypto';
import type { Http2Result } from '../http2/http2-call';
import { Http2Pool } from '../http2/http2-pool';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import { type CheckResult, type SendCallback, type Sender, type SenderCapacity, sendOnce } from '../sender';
import type { SendRequest } from '../sender';
import type { SenderOptions } from '../sender-options';
import type { ApnsCredentials } from './apns-credentials';
import { apnsHeaders } from './apns-headers';
import { type ProviderToken, providerToken } from './provider-token';
import { readApnsAnswer } from './read-apns-answer';

const HEX = /^[0-9a-fA-F]{1,512}$/;
const MADE_UP_TOKEN = '0'.repeat(64);

const bodies = new WeakMap<ApnsPayload, Buffer>();
const bodiesWithGaps = new WeakMap<ApnsPayload, TextWithGaps>();

/** Sends through APNs with a provider token (ES256). */
export class ApnsSender implements Sender {
  readonly vendor = 'apns';
  readonly #pool: Http2Pool;
  readonly #providerToken: ProviderToken;

  constructor(
    private readonly credentials: ApnsCredentials,
    private readonly options: SenderOptions,
  ) {
    this.#providerToken = providerToken(credentials, options.clock);
    this.#pool = new Http2Pool({
      origin: new URL(credentials.endpoint),
      allowPrivateEndpoints: options.allowPrivateEndpoints,
      firstStreamAlone: true,
      // 429 is about one device here.
      isOverload: (status) => status >= 500,
      ...(credentials.ca ? { ca: credentials.ca } : {}),
      ...(options.maxSessions ? { maxSessions: options.maxSessions } : {}),
      ...(options.maxInFlight ? { maxInFlight: options.maxInFlight } : {}),
      ...(options.deadlineMs ? { deadlineMs: options.deadlineMs } : {}),
    });
  }

  get capacity(): SenderCapacity {
    return this.#pool;
  }

  send(request: SendRequest, done: SendCallback): void {
    const { payload } = request;
    if (payload.vendor !== 'apns') {
      done(wrongPayload(payload.vendor, this.vendor));
      return;
    }
    if (!HEX.test(request.token)) {
      done({ kind: 'token_invalid', code: 'BadDeviceToken', reason: 'The token is not hexadecimal' });
      return;
    }
    this.#post(request, payload, this.#providerToken.current(), done, true);
  }

  async check(): Promise<CheckResult> {
    const payload: ApnsPayload = {
      vendor: 'apns',
      body: { aps: { 'content-available': 1 } },
      pushType: 'background',
      priority: 5,
    };
    const expiresAt = this.options.clock.now();
    const request = { deliveryId: randomUUID(), token: MADE_UP_TOKEN, payload, ttlSeconds: 0, expiresAt };
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

  #post(request: SendRequest, payload: ApnsPayload, token: string, done: SendCallback, mayRefresh: boolean): void {
    this.#pool.send({
      headers: apnsHeaders(request, payload, this.credentials.topic, token),
      body: bodyOf(payload),
      done: (result) => {
        const outcome = this.#read(result);
        if (outcome.kind !== 'auth_refresh') {
          done(outcome);
          return;
        }
        const newer = mayRefresh ? this.#providerToken.replace(token) : null;
        if (newer === null) {
          done({ kind: 'config', code: outcome.code, reason: outcome.reason });
          return;
        }
        this.#post(request, payload, newer, done, false);
      },
    });
  }

  #read(result: Http2Result): ReturnType<typeof readApnsAnswer> {
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
