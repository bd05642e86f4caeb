import type { OutgoingHttpHeaders } from 'node:http2';
import { type FcmPayload, type SendOutcome, withoutTrailing } from '@postrider/domain';
import { HttpClient } from '../http1/http-client';
import type { Http2Request, Http2Result } from '../http2/http2-call';
import { Http2Pool } from '../http2/http2-pool';
import { AccessTokenSource } from '../oauth/access-token-source';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import {
  EXPIRED,
  ttlSecondsAt,
  type CheckResult,
  type SendCallback,
  type Sender,
  type SenderCapacity,
  type PushRequest,
  type SenderOptions,
} from '../sender';
import { fcmBody } from './fcm-body';
import { fcmTokenFetcher, type FcmCredentials } from './fcm-access-token';
import { readFcmAnswer } from './read-fcm-answer';

/** FCM asks for at least 10 seconds from the moment a request is written: half of the time that a send may take. */
const DEADLINE_MS = 20_000;
const TOKEN_DEADLINE_MS = 10_000;
/** The number of streams that Google's own server library uses on one connection. */
const STREAMS_PER_SESSION = 250;

/** The message of a mere check. */
const CHECK: FcmPayload = { vendor: 'fcm', message: { data: { check: '1' } } };

/** Makes a request's body for the moment at which it is written; null if its message has expired by then. */
type BodyAt = (now: number) => string | null;

type Http2Answer = Extract<Http2Result, { kind: 'answer' }>;

/** A request that was answered. */
interface Post {
  accessToken: string;
  bodyAt: BodyAt;
  done: SendCallback;
  mayRefresh: boolean;
}

/** Sends through FCM HTTP v1 with a service account's access token. */
export class FcmSender implements Sender, SenderCapacity {
  readonly vendor = 'fcm';
  readonly capacity = this;
  readonly #pool: Http2Pool;
  readonly #client: HttpClient;
  readonly #tokens: AccessTokenSource;
  readonly #path: string;
  #waitingForToken = 0;
  #headers: { token: string; value: OutgoingHttpHeaders } | null = null;

  constructor(
    credentials: FcmCredentials,
    private readonly options: SenderOptions,
  ) {
    const { clock, allowPrivateEndpoints, proxy } = options;
    const endpoint = new URL(credentials.endpoint);
    this.#path = `${withoutTrailing(endpoint.pathname, '/')}/v1/projects/${credentials.projectId}/messages:send`;
    this.#client = new HttpClient({ allowPrivateEndpoints, proxy, deadlineMs: TOKEN_DEADLINE_MS, allowH2: true });
    this.#tokens = new AccessTokenSource(fcmTokenFetcher(credentials, this.#client, clock), clock);
    this.#pool = new Http2Pool({
      origin: endpoint,
      allowPrivateEndpoints,
      allowHttp1: true,
      ...(proxy ? { proxy } : {}),
      maxSessions: options.maxSessions ?? 20,
      maxStreamsPerSession: STREAMS_PER_SESSION,
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      ...(options.maxInFlight ? { maxInFlight: options.maxInFlight } : {}),
      ...(options.http2Client ? { client: options.http2Client } : {}),
    });
  }

  free(): number {
    return Math.max(0, this.#pool.free() - this.#waitingForToken);
  }

  whenFree(callback: () => void): void {
    if (this.free() > 0) callback();
    else if (this.#waitingForToken > 0) void this.#tokens.fresh().then(() => this.whenFree(callback));
    else this.#pool.whenFree(callback);
  }

  send(request: PushRequest, done: SendCallback): void {
    const { payload, token, expiresAt, lastCallAt } = request;
    if (payload.vendor !== 'fcm') {
      done(wrongPayload(payload.vendor, this.vendor));
      return;
    }
    const bodyAt = (now: number): string | null =>
      now >= lastCallAt ? null : fcmBody(payload, token, ttlSecondsAt(now, request), expiresAt);
    this.#withToken(bodyAt, done);
  }

  validate(token: string, done: SendCallback): void {
    const body = fcmBody(CHECK, token, 0, this.options.clock.now());
    this.#withToken(() => `{"validate_only":true,${body.slice(1)}`, done);
  }

  async check(): Promise<CheckResult> {
    const outcome = await new Promise<SendOutcome>((resolve) => this.validate('postrider-credential-check', resolve));
    // A made-up token that FCM finds fault with proves that it took our credentials.
    if (outcome.kind === 'accepted' || outcome.kind === 'token_invalid' || outcome.kind === 'request_invalid') {
      return { ok: true };
    }
    return { ok: false, code: outcome.code, reason: outcome.reason };
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#client.close();
  }

  #withToken(bodyAt: BodyAt, done: SendCallback): void {
    const accessToken = this.#tokens.current();
    if (accessToken !== null) {
      this.#post(accessToken, bodyAt, done, true);
      return;
    }
    this.#withFreshToken(bodyAt, done, true);
  }

  #withFreshToken(bodyAt: BodyAt, done: SendCallback, mayRefresh: boolean): void {
    this.#waitingForToken++;
    void this.#tokens.fresh().then((result) => {
      this.#waitingForToken--;
      if (result.kind === 'token') this.#post(result.value, bodyAt, done, mayRefresh);
      else done(result);
    });
  }

  #post(accessToken: string, bodyAt: BodyAt, done: SendCallback, mayRefresh: boolean): void {
    this.#pool.send({
      compose: (): Http2Request | 'withdrawn' => {
        const body = bodyAt(this.options.clock.now().getTime());
        return body === null ? 'withdrawn' : { headers: this.#headersFor(accessToken), body };
      },
      done: (result) => {
        if (result.kind === 'withdrawn') done(EXPIRED);
        else if (result.kind === 'answer') this.#onAnswer(result, { accessToken, bodyAt, done, mayRefresh });
        else done(outcomeOfFailure(result));
      },
    });
  }

  #onAnswer(result: Http2Answer, { accessToken, bodyAt, done, mayRefresh }: Post): void {
    const outcome = readFcmAnswer(result, this.options.clock.now());
    if (outcome.kind !== 'auth_refresh') {
      done(outcome);
      return;
    }
    this.#tokens.reject(accessToken);
    if (!mayRefresh) {
      done({ kind: 'config', code: outcome.code, reason: outcome.reason });
      return;
    }
    const newer = this.#tokens.current();
    if (newer !== null) this.#post(newer, bodyAt, done, false);
    else this.#withFreshToken(bodyAt, done, false);
  }

  #headersFor(accessToken: string): OutgoingHttpHeaders {
    if (this.#headers?.token !== accessToken) {
      const value: OutgoingHttpHeaders = {
        ':method': 'POST',
        ':path': this.#path,
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      };
      this.#headers = { token: accessToken, value };
    }
    return this.#headers.value;
  }
}
