import { type Clock, HOUR_MS, type HmsPayload, type JsonObject, type SendOutcome } from '@postrider/domain';
import { HttpClient, type LateBody } from '../http1/http-client';
import { AccessTokenSource, readTokenAnswer, type TokenResult } from '../oauth/access-token-source';
import { outcomeOfFailure, wrongPayload } from '../outcome/outcome-of-failure';
import {
  type CheckResult,
  EXPIRED,
  type MessageEnd,
  type SendCallback,
  type Sender,
  type SenderCapacity,
  type SenderOptions,
  type PushRequest,
  ttlSecondsAt,
} from '../sender';
import { type HmsResult, readHmsAnswer } from './read-hms-answer';

/** An AppGallery application's id and secret, and Huawei's two base addresses. */
export type HmsCredentials = {
  appId: string;
  endpoint: string;
  tokenEndpoint: string;
  clientSecret: string;
};

const MAX_TTL_SECONDS = 1_296_000;
/** Room for the longest ttl; blanks may stand between the tokens of JSON (RFC 8259 §2). */
const TTL_BYTES = `"${MAX_TTL_SECONDS}s"`.length;
const BEFORE_TTL = '{"validate_only":false,"message":{"android":{"ttl":';

/** The body of a `messages:send` for a batch: made once, its `android.ttl` filled in when it is written. */
class HmsBody implements LateBody {
  readonly bytes: Buffer;
  readonly #end: MessageEnd;

  /** @param asNormal true: with normal urgency, whatever the payload says */
  constructor(
    { payload, end, waiting }: HmsBatch,
    asNormal: boolean,
    private readonly clock: Clock,
  ) {
    const { android, ...rest } = payload.message as { android?: JsonObject } & JsonObject;
    const androidRest = { ...android, ...(asNormal ? { urgency: 'NORMAL' } : {}) };
    Reflect.deleteProperty(androidRest, 'ttl');
    const message = { ...rest, token: [...waiting.keys()] };
    const androidMembers = JSON.stringify(androidRest).slice(1, -1);
    const afterTtl = `${androidMembers === '' ? '' : `,${androidMembers}`}},${JSON.stringify(message).slice(1)}}`;
    this.bytes = Buffer.from(BEFORE_TTL + ' '.repeat(TTL_BYTES) + afterTtl);
    this.#end = end;
  }

  beforeWrite(): boolean {
    const now = this.clock.now().getTime();
    if (now >= this.#end.lastCallAt) return false;
    const ttlSeconds = Math.min(ttlSecondsAt(now, this.#end), MAX_TTL_SECONDS);
    this.bytes.write(`"${ttlSeconds}s"`.padEnd(TTL_BYTES), BEFORE_TTL.length, 'latin1');
    return true;
  }
}

const DEADLINE_MS = 15_000;
const LINGER_MS = 5;
const CONNECTIONS = 16;
const MAX_IN_FLIGHT = 16_000;
/** Huawei grants applications the urgency HIGH when they ask for it. It is tried again this much later. */
const HIGH_NOT_GRANTED = '80300011';
const NORMAL_FOR_MS = HOUR_MS;

/** Sends through Huawei Push Kit (v1) over HTTP/1.1; devices that get the same payload share a request. */
export class HmsSender implements Sender, SenderCapacity {
  readonly vendor = 'hms';
  readonly capacity = this;
  readonly #client: HttpClient;
  readonly #tokens: AccessTokenSource;
  readonly #batches: HmsBatches;
  readonly #url: URL;
  readonly #max: number;
  /** True once Huawei has accepted a message. */
  #isProven = false;
  /** Until then Huawei does not grant the urgency HIGH. On the scale of `clock.steadyMs()`. */
  #normalUntil = -Infinity;
  #outstanding = 0;
  #closed = false;
  #waiting: (() => void)[] = [];
  #idle: (() => void)[] = [];

  constructor(
    credentials: HmsCredentials,
    private readonly options: SenderOptions,
  ) {
    const { allowPrivateEndpoints, proxy, clock } = options;
    this.#max = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.#url = new URL(`${credentials.endpoint}/v1/${encodeURIComponent(credentials.appId)}/messages:send`);
    this.#client = new HttpClient({
      allowPrivateEndpoints,
      proxy,
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

  send(request: PushRequest, done: SendCallback): void {
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
    const result = await this.#postBatch(batch);
    for (const [token, callbacks] of batch.waiting) {
      const outcome = outcomeFor(result, token);
      this.#isProven ||= outcome.kind === 'accepted';
      for (const done of callbacks) {
        this.#outstanding--;
        done(outcome);
      }
    }
    while (this.#waiting.length > 0 && this.free() > 0) this.#waiting.shift()?.();
    if (this.#outstanding === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Posts a batch. Huawei refuses all of it if the application may not be urgent: then it goes with normal urgency. */
  async #postBatch(batch: HmsBatch): Promise<HmsResult> {
    const { clock, logger } = this.options;
    const { payload, waiting } = batch;
    const isHigh = isOfHighUrgency(payload);
    const asNormal = isHigh && clock.steadyMs() < this.#normalUntil;
    const result = await this.#post(new HmsBody(batch, asNormal, clock), waiting.size);
    if (!isHigh || asNormal || !isUrgencyRefused(result)) return result;
    if (clock.steadyMs() >= this.#normalUntil) {
      logger?.warn({ address: this.#url.href, code: HIGH_NOT_GRANTED }, 'hms.high-urgency-refused');
    }
    this.#normalUntil = clock.steadyMs() + NORMAL_FOR_MS;
    return this.#post(new HmsBody(batch, true, clock), waiting.size);
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
    const result = readHmsAnswer(answer, { tokenCount, isProven: this.#isProven }, this.options.clock.now());
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

function isOfHighUrgency({ message }: HmsPayload): boolean {
  return (message.android as JsonObject | undefined)?.urgency === 'HIGH';
}

function isUrgencyRefused(result: HmsResult): boolean {
  const outcome = result.kind === 'outcomes' ? result.outcomeOf('') : result;
  return outcome.kind === 'config' && outcome.code === HIGH_NOT_GRANTED;
}

/** Huawei's limit of tokens in one request. */
const MAX_TOKENS = 1_000;

/** Devices that get the same, on their way in one request. */
interface HmsBatch {
  payload: HmsPayload;
  end: MessageEnd;
  /** By token: a token given twice would get the message twice, so it appears once and both callers are answered. */
  waiting: Map<string, SendCallback[]>;
  timer: NodeJS.Timeout;
}

/**
 * Collects sends of the same payload and end for a few milliseconds, so that up to 1,000 devices share one request.
 */
class HmsBatches {
  readonly #open = new Map<HmsPayload, HmsBatch>();

  constructor(
    private readonly lingerMs: number,
    private readonly flush: (batch: HmsBatch) => void,
  ) {}

  add(request: PushRequest, payload: HmsPayload, done: SendCallback): void {
    let batch = this.#open.get(payload);
    if (batch && !endsWith(batch.end, request)) this.#close(batch);
    batch = this.#open.get(payload) ?? this.#begin(payload, request);
    const others = batch.waiting.get(request.token);
    if (others) others.push(done);
    else batch.waiting.set(request.token, [done]);
    if (batch.waiting.size >= MAX_TOKENS) this.#close(batch);
  }

  /** Sends off everything that waits. */
  flushAll(): void {
    for (const batch of [...this.#open.values()]) this.#close(batch);
  }

  #begin(payload: HmsPayload, { expiresAt, lastCallAt }: MessageEnd): HmsBatch {
    const timer = setTimeout(() => this.#close(batch), this.lingerMs);
    const end = { expiresAt, lastCallAt };
    const batch: HmsBatch = { payload, end, waiting: new Map<string, SendCallback[]>(), timer };
    this.#open.set(payload, batch);
    return batch;
  }

  #close(batch: HmsBatch): void {
    clearTimeout(batch.timer);
    if (this.#open.get(batch.payload) === batch) this.#open.delete(batch.payload);
    this.flush(batch);
  }
}

function endsWith(one: MessageEnd, other: MessageEnd): boolean {
  return one.expiresAt.getTime() === other.expiresAt.getTime() && one.lastCallAt === other.lastCallAt;
}
