import { storableText } from '@postrider/domain';
import type { HttpsProxy } from '@postrider/platform';
import { Agent, request } from 'undici';
import { connectThrough } from '../http1/connect-through';
import { assertPublicEndpoint, PlainEndpointError, PrivateAddressError, publicLookup } from '../net/address-guard';
import { deadlineSignal } from '../net/deadline';
import { limitInterimAnswers } from '../net/interim-answers';

/** How a receiver of webhooks answered, or why it did not. */
export type WebhookAnswer =
  | { kind: 'answer'; status: number; retryAfter: string | undefined }
  | { kind: 'failure'; code: string; reason: string };

/** How a client behaves. */
interface WebhookClientOptions {
  allowPrivateEndpoints: boolean;
  /**
   * The deployment's proxy, if there is one. Unless private addresses are allowed, the proxy gets the address that was
   * checked here.
   */
  proxy?: HttpsProxy | undefined;
  /** An authority to trust instead of the usual ones, in PEM form. */
  ca?: string;
  /** From the start of connecting to the end of the answer's head. */
  deadlineMs: number;
  connectionsPerOrigin: number;
}

/**
 * The answer's body is ignored. It is read up to this many bytes, so that the connection can be reused; if it is
 * longer, the connection is closed.
 */
const READ_BYTES = 65_536;
const READ_MS = 1_000;
/** Shorter than any server's idle limit, or an event would now and then meet a connection that is being closed. */
const IDLE_MS = 2_000;

/**
 * Posts to addresses that applications chose. Follows no redirect, reads no more than the head of an answer and a little of
 * its body, gives up at the deadline, and unless private addresses are allowed connects to public ones over TLS only, checked
 * by the address that is connected to.
 */
export class WebhookClient {
  readonly #agent: Agent;

  constructor(private readonly options: WebhookClientOptions) {
    const { deadlineMs, allowPrivateEndpoints, proxy, ca } = options;
    const connect = {
      timeout: deadlineMs,
      ...(ca === undefined ? {} : { ca }),
      ...(allowPrivateEndpoints ? {} : { lookup: publicLookup }),
    };
    this.#agent = new Agent({
      connections: options.connectionsPerOrigin,
      headersTimeout: deadlineMs,
      bodyTimeout: READ_MS,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      connect: proxy ? connectThrough(proxy, connect, true) : connect,
    });
  }

  /** Posts an event to a webhook. Never throws. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<WebhookAnswer> {
    const deadline = deadlineSignal(this.options.deadlineMs);
    try {
      const target = new URL(url);
      if (!this.options.allowPrivateEndpoints) assertPublicEndpoint(target);
      const answer = await request(target, {
        method: 'POST',
        headers,
        body,
        dispatcher: this.#agent,
        signal: deadline.signal,
        onInfo: limitInterimAnswers(),
      });
      // Not awaited: the status is all there is to know.
      answer.body.dump({ limit: READ_BYTES, signal: AbortSignal.timeout(READ_MS) }).catch(() => undefined);
      const retryAfter = answer.headers['retry-after'];
      return {
        kind: 'answer',
        status: answer.statusCode,
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      };
    } catch (error) {
      return failureOf(error as Error & { code?: unknown }, this.options.deadlineMs);
    } finally {
      deadline.end();
    }
  }

  /** Ends every connection. Safe to call twice. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

function failureOf(error: Error & { code?: unknown }, deadlineMs: number): WebhookAnswer {
  const code = typeof error.code === 'string' ? error.code : 'REQUEST_FAILED';
  if (error.name === 'TimeoutError' || TIMEOUTS.has(code)) {
    return { kind: 'failure', code: 'TIMEOUT', reason: `There was no answer within ${deadlineMs / 1_000} seconds` };
  }
  return { kind: 'failure', code, reason: storableText(error.message, 300) };
}

/** Names that always mean this machine or this network. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal)\.?$/i;

/**
 * Returns the error of the address of a webhook, for a deployment that sends to public addresses only; null if there is
 * none. A name is checked again by its address at every connect.
 */
export function checkWebhookHost(url: URL): string | null {
  if (PRIVATE_NAME.test(url.hostname)) return 'must not be a private address';
  try {
    assertPublicEndpoint(url);
    return null;
  } catch (error) {
    if (error instanceof PlainEndpointError) return 'must be https';
    if (error instanceof PrivateAddressError) return 'must not be a private address';
    throw error;
  }
}
