import { Agent, DecoratorHandler, type Dispatcher, request } from 'undici';
import type { HttpsProxy } from '@postrider/platform';
import { assertPublicEndpoint, publicLookup } from '../net/address-guard';
import { deadlineSignal, startDeadline } from '../net/deadline';
import { limitInterimAnswers } from '../net/interim-answers';
import { connectThrough } from './connect-through';
import type { RequestFailure } from '../outcome/outcome-of-failure';

/** The result of one HTTP/1.1 request. */
export type HttpResult =
  | { kind: 'answer'; status: number; headers: Record<string, string | string[] | undefined>; body: string }
  | RequestFailure;

/** A body that is finished at the moment at which it is written, after any wait for a connection. */
export interface LateBody {
  readonly bytes: Buffer;
  /**
   * Fills in what depends on the time, in place. @returns true if it is to be sent at all; if not, it is `unsent`,
   * `WITHDRAWN`
   */
  beforeWrite(): boolean;
}

/** The methods of requests. */
type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** How a client behaves. */
interface HttpClientOptions {
  allowPrivateEndpoints: boolean;
  /** The proxy that leads out, if there is one. It resolves the names. */
  proxy?: HttpsProxy | undefined;
  deadlineMs: number;
  connections?: number;
  /**
   * Uses HTTP/2 if the server offers it: right for a rare request, since undici sends one POST at a time on a
   * connection.
   */
  allowH2?: boolean;
  /** An authority to trust instead of the usual ones, in PEM form. */
  ca?: string;
  /**
   * Opens a connection for every request. The server may close a kept connection at the moment when a request is
   * written to it, and then it is unknown whether the request was accepted: a kept connection is not for requests that
   * must not be repeated.
   */
  isForOneRequest?: boolean;
}

/** An answer is a few hundred bytes; an answer of this size is not serious. */
const MAX_ANSWER_BYTES = 1_048_576;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A connection that was idle for this part of the deadline is not used again, whatever the server offers. A network that drops
 * packets says nothing: what got no answer on one kept connection, and is repeated after its deadline, must not meet another one
 * that was kept since before.
 */
const IDLE_PART_OF_DEADLINE = 2 / 3;

/** HTTP/1.1 with keep-alive, deadlines and the guard against private addresses. A failure is a value. */
export class HttpClient {
  readonly #agent: Agent;
  readonly #dispatcher: Dispatcher;
  #closing: Promise<void> | null = null;

  constructor(private readonly options: HttpClientOptions) {
    const connect = {
      timeout: CONNECT_TIMEOUT_MS,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...(options.allowPrivateEndpoints ? {} : { lookup: publicLookup }),
    };
    const allowH2 = options.allowH2 ?? false;
    this.#agent = new Agent({
      connections: options.connections ?? 2,
      allowH2,
      headersTimeout: options.deadlineMs,
      bodyTimeout: options.deadlineMs,
      keepAliveMaxTimeout: options.deadlineMs * IDLE_PART_OF_DEADLINE,
      maxResponseSize: MAX_ANSWER_BYTES,
      ...(options.isForOneRequest ? { pipelining: 0 } : {}),
      connect: options.proxy ? connectThrough(options.proxy, { ...connect, allowH2 }, false) : connect,
    });
    this.#dispatcher = this.#agent.compose(beginExchanges);
  }

  /** Posts a body; never throws. */
  post(url: URL, headers: Record<string, string>, body: string | LateBody): Promise<HttpResult> {
    return this.send('POST', url, headers, body);
  }

  /** Sends a request; never throws. An answer that trickles is given up twice the deadline after the request was begun. */
  async send(
    method: HttpMethod,
    url: URL,
    headers: Record<string, string>,
    body?: string | LateBody,
  ): Promise<HttpResult> {
    const { deadlineMs, isForOneRequest } = this.options;
    const exchange = new Exchange(typeof body === 'object' ? body : null, 2 * deadlineMs);
    const whole = isForOneRequest ? deadlineSignal(CONNECT_TIMEOUT_MS + 2 * deadlineMs) : null;
    try {
      if (!this.options.allowPrivateEndpoints) assertPublicEndpoint(url);
      const answer = await request(url, {
        method,
        headers,
        body: typeof body === 'object' ? body.bytes : (body ?? null),
        dispatcher: this.#dispatcher,
        ...{ exchange },
        signal: whole?.signal ?? null,
      });
      return { kind: 'answer', status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    } catch (error) {
      return failureOf(error as Error & { code?: unknown }, exchange);
    } finally {
      exchange.end();
      whole?.end();
    }
  }

  /** Posts a form (application/x-www-form-urlencoded); not any more once `beforeWrite` says no. */
  postForm(url: URL, form: Record<string, string>, beforeWrite = (): boolean => true): Promise<HttpResult> {
    const body = { bytes: Buffer.from(new URLSearchParams(form).toString()), beforeWrite };
    return this.post(url, { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }, body);
  }

  /** Ends idle connections and those in use once their answer is there. Safe to call twice. */
  close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    return this.#closing;
  }
}

/** What was never begun was never written, whatever the error: no connection, no address, a handshake that was cut. */
function failureOf(
  { code: given, message: reason }: Error & { code?: unknown },
  { isBegun }: Exchange,
): RequestFailure {
  const code = typeof given === 'string' ? given : 'REQUEST_FAILED';
  return { kind: isBegun ? 'unanswered' : 'unsent', code, reason };
}

/** A request whose body took itself back. */
class WithdrawnError extends Error {
  readonly code = 'WITHDRAWN';
}

/** An answer that never ends. */
class SlowAnswerError extends Error {
  readonly code = 'ANSWER_TOO_SLOW';
}

/** One request and its answer. */
class Exchange {
  /** True once the request may have been written, in part at least. */
  isBegun = false;
  #endDeadline: (() => void) | undefined;

  /** @param answerMs how long the answer may take until it is whole */
  constructor(
    private readonly body: LateBody | null,
    private readonly answerMs: number,
  ) {}

  /**
   * Call it when undici has a connection, just before it writes.
   * @throws WithdrawnError if the request is not to be sent any more. undici then keeps the connection, which it would close if
   * the request were aborted: the requests after it would wait for another one, and be too late in their turn
   */
  begin(controller: Dispatcher.DispatchController): void {
    if (this.body?.beforeWrite() === false) throw new WithdrawnError('It is not to be sent any more');
    this.isBegun = true;
    const error = new SlowAnswerError(`The answer was not whole within ${this.answerMs / 1_000} seconds`);
    this.#endDeadline?.();
    this.#endDeadline = startDeadline(this.answerMs, () => controller.abort(error));
  }

  end(): void {
    this.#endDeadline?.();
  }
}

/** The part that undici's types leave out of its handler that passes everything on. */
const PassingHandler = DecoratorHandler as unknown as new (handler: Dispatcher.DispatchHandler) => {
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void;
  onResponseStart(controller: Dispatcher.DispatchController, status: number, ...rest: unknown[]): void;
};

/** undici begins a request, on a connection that it has, just before it writes it. */
class BeginExchange extends PassingHandler {
  readonly #countInterim = limitInterimAnswers();

  constructor(
    handler: Dispatcher.DispatchHandler,
    private readonly exchange: Exchange,
  ) {
    super(handler);
  }

  override onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    super.onRequestStart(controller, context);
    this.exchange.begin(controller);
  }

  /** Interim answers go no further: the handler that passes everything on takes one answer, and fails at a second. */
  override onResponseStart(controller: Dispatcher.DispatchController, status: number, ...rest: unknown[]): void {
    if (status < 200) this.#countInterim();
    else super.onResponseStart(controller, status, ...rest);
  }
}

function beginExchanges(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options: Dispatcher.DispatchOptions & { exchange?: Exchange }, handler) =>
    dispatch(options, options.exchange ? new BeginExchange(handler, options.exchange) : handler);
}
