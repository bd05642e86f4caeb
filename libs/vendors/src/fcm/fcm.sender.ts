import type { OutgoingHttpHeaders } from 'node:http2';
import type { FcmPayload, SendOutcome } from '@postrider/domain';
import { HttpClient } from '../http1/http-client';
import type { Http2Result } from '../http2/http2-call';
import { Http2Pool } from '../http2/http2-pool';
import { AccessTokenSource } from '../oauth/access-token-source';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import type { CheckResult, SendCallback, Sender, SenderCapacity, SendRequest } from '../sender';
import type { SenderOptions } from '../sender-options';
import { fcmBody } from './fcm-body';
import { fcmTokenFetcher } from './fcm-access-token';
import type { FcmCredentials } from './fcm-credentials';
import { readFcmAnswer } from './read-fcm-answer';

/** FCM asks for at least 10 seconds. */
const DEADLINE_MS = 10_000;
/** What Google's own server library allows itself on one connection. */
const STREAMS_PER_SESSION = 250;

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
    const { clock, allowPrivateEndpoints } = options;
    const endpoint = new URL(credentials.endpoint);
    this.#path = `${endpoint.pathname.replace(/\/+$/, '')}/v1/projects/${credentials.projectId}/messages:send`;
    this.#client = new HttpClient({ allowPrivateEndpoints, deadlineMs: DEADLINE_MS, allowH2: true });
    this.#tokens = new AccessTokenSource(fcmTokenFetcher(credentials, this.#client, clock), clock);
    this.#pool = new Http2Pool({
      origin: endpoint,
      allowPrivateEndpoints,
      maxSessions: options.maxSessions ?? 20,
      maxStreamsPerSession: STREAMS_PER_SESSION,
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      ...(options.maxInFlight ? { maxInFlight: options.maxInFlight } : {}),
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

  send(request: SendRequest, done: SendCallback): void {
    const { payload, token, ttlSeconds, expiresAt } = request;
    if (payload.vendor !== 'fcm') {
      done(wrongPayload(payload.vendor, this.vendor));
      return;
    }
    this.#withToken(() => fcmBody(payload, token, ttlSeconds, expiresAt), done);
  }

  async check(): Promise<CheckResult> {
    const payload: FcmPayload = { vendor: 'fcm', message: { data: { check: '1' } } };
    const body = fcmBody(payload, 'postrider-credential-check', 0, this.options.clock.now());
    const outcome = await new Promise<SendOutcome>((resolve) => {
      this.#withToken(() => `{"validate_only":true,${body.slice(1)}`, resolve);
    });
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

  #withToken(body: () => string, done: SendCallback): void {
    const accessToken = this.#tokens.current();
    if (accessToken !== null) {
      this.#post(accessToken, body(), done, true);
      return;
    }
    this.#withFreshToken(body, done, true);
  }

  #withFreshToken(body: () => string, done: SendCallback, mayRefresh: boolean): void {
    this.#waitingForToken++;
    void this.#tokens.fresh().then((result) => {
      this.#waitingForToken--;
      if (result.kind === 'token') this.#post(result.value, body(), done, mayRefresh);
      else done(result);
    });
  }

  #post(accessToken: string, body: string, done: SendCallback, mayRefresh: boolean): void {
    this.#pool.send({
      headers: this.#headersFor(accessToken),
      body,
      done: (result) => this.#onResult(result, accessToken, body, done, mayRefresh),
    });
  }

  #onResult(result: Http2Result, accessToken: string, body: string, done: SendCallback, mayRefresh: boolean): void {
    if (result.kind !== 'answer') {
      done(outcomeOfFailure(result));
      return;
    }
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
    if (newer !== null) this.#post(newer, body, done, false);
    else this.#withFreshToken(() => body, done, false);
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
