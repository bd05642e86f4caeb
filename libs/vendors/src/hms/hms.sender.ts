import type { SendOutcome } from '@postrider/domain';
import { HttpClient, type LateBody } from '../http1/http-client';
import { AccessTokenSource, type TokenResult } from '../oauth/access-token-source';
import { readTokenAnswer } from '../oauth/read-token-answer';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import { EXPIRED } from '../remaining-life';
import type { CheckResult, SendCallback, Sender, SenderCapacity, SendRequest } from '../sender';
import type { SenderOptions } from '../sender-options';
import { type HmsBatch, HmsBatches } from './hms-batches';
import type { HmsCredentials } from './hms-credentials';
import { HmsBody } from './hms-body';
import { type HmsResult, readHmsAnswer } from './read-hms-answer';

const DEADLINE_MS = 15_000;
const LINGER_MS = 5;
const CONNECTIONS = 16;
const MAX_IN_FLIGHT = 16_000;

/** Sends through Huawei Push Kit (v1) over HTTP/1.1; devices that get the same payload share a request. */
export class HmsSender implements Sender, SenderCapacity {
  readonly vendor = 'hms';
  readonly capacity = this;
  readonly #client: HttpClient;
  readonly #tokens: AccessTokenSource;
  readonly #batches: HmsBatches;
  readonly #url: URL;
  readonly #max: number;
  #outstanding = 0;
  #closed = false;
  #waiting: (() => void)[] = [];
  #idle: (() => void)[] = [];

  constructor(
    credentials: HmsCredentials,
    private readonly options: SenderOptions,
  ) {
    const { allowPrivateEndpoints, clock } = options;
    this.#max = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#url = new URL(`${credentials.endpoint}/v1/${encodeURIComponent(credentials.appId)}/messages:send`);
    this.#client = new HttpClient({
      allowPrivateEndpoints,
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      connections: CONNECTIONS,
    });
    this.#tokens = new AccessTokenSource(() => this.#fetchToken(credentials), clock);
    this.#batches = new HmsBatches(LINGER_MS, (batch) => void this.#deliver(batch));
  }

  free(): number {
    return this.#closed ? 0 : Math.max(0, this.#max - this.#outstanding);
  }

  whenFree(callback: () => void): void {
    if (this.free() > 0) callback();
    else this.#waiting.push(callback);
  }

  send(request: SendRequest, done: SendCallback): void {
    const { payload } = request;
    if (payload.vendor !== 'hms') {
      done(wrongPayload(payload.vendor, this.vendor));
    } else if (this.#closed) {
      done({ kind: 'retryable', code: 'CLOSED', reason: 'Shutting down', retryAfterMs: null });
    } else {
      this.#outstanding++;
      this.#batches.add(request, payload, done);
    }
  }

  async check(): Promise<CheckResult> {
    const message = { data: 'check', token: ['postrider-credential-check'] };
    const result = await this.#post(JSON.stringify({ validate_only: true, message }), 1);
    const outcome = result.kind === 'outcomes' ? result.outcomeOf('') : result;
    // A made-up token that Huawei finds fault with proves that it took our credentials.
    const isFine = ['accepted', 'token_invalid', 'request_invalid'].includes(outcome.kind);
    return isFine || outcome.kind === 'accepted'
      ? { ok: true }
      : { ok: false, code: outcome.code, reason: outcome.reason };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#batches.flushAll();
    if (this.#outstanding > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    await this.#client.close();
  }

  async #deliver(batch: HmsBatch): Promise<void> {
    const result = await this.#post(new HmsBody(batch, this.options.clock), batch.waiting.size);
    for (const [token, callbacks] of batch.waiting) {
      for (const done of callbacks) {
        this.#outstanding--;
        done(outcomeFor(result, token));
      }
    }
    while (this.#waiting.length > 0 && this.free() > 0) this.#waiting.shift()?.();
    if (this.#outstanding === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Posts a body; once more with another access token when the first was refused. */
  async #post(body: string | LateBody, tokenCount: number): Promise<HmsResult> {
    const refused = await this.#postOnce(body, tokenCount);
    return refused.kind === 'auth_refresh' ? this.#postOnce(body, tokenCount) : refused;
  }

  async #postOnce(body: string | LateBody, tokenCount: number): Promise<HmsResult> {
    const held = this.#tokens.current();
    const access: TokenResult | { kind: 'token'; value: string } =
      held === null ? await this.#tokens.fresh() : { kind: 'token', value: held };
    if (access.kind !== 'token') return { kind: 'outcomes', outcomeOf: () => access };
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${access.value}` };
    const answer = await this.#client.post(this.#url, headers, body);
    if (answer.kind !== 'answer') {
      const outcome = answer.code === 'WITHDRAWN' ? EXPIRED : outcomeOfFailure(answer);
      return { kind: 'outcomes', outcomeOf: () => outcome };
    }
    const result = readHmsAnswer(answer, tokenCount, this.options.clock.now());
    if (result.kind === 'auth_refresh') this.#tokens.reject(access.value);
    return result;
  }

  async #fetchToken({ appId, clientSecret, tokenEndpoint }: HmsCredentials): Promise<TokenResult> {
    const form = { grant_type: 'client_credentials', client_id: appId, client_secret: clientSecret };
    const answer = await this.#client.postForm(new URL(`${tokenEndpoint}/oauth2/v3/token`), form);
    return readTokenAnswer(answer, this.options.clock.now());
  }
}

/** An access token refused twice means that the credentials are wrong. */
function outcomeFor(result: HmsResult, token: string): SendOutcome {
  if (result.kind === 'outcomes') return result.outcomeOf(token);
  return { kind: 'config', code: result.code, reason: result.reason };
}
