import { isJsonObject, type JsonObject, type JsonValue, readJsonObject } from '../json';
import { PostriderError } from './postrider-error';

/** The largest body that a browser sends on after the page is gone (Fetch §4.5, `keepalive`). */
const MOST_KEPT_ALIVE = 60_000;

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** The options of `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  keepalive?: boolean;
}

/** The answer of `fetch`. */
export interface FetchAnswer {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** The address of the service, and the device's token. */
export interface RestAccess {
  /** The service's address without `/api`. */
  url: string;
  token: string;
  timeoutMs: number;
  fetch: Fetch;
}

/** The parts of a call beside its method and path. */
export interface RestCall {
  body?: JsonObject;
  headers?: Record<string, string>;
  /** True if the request continues when the page is closed. */
  outlivesPage?: boolean;
}

/** Calls the service. */
export class RestApi {
  constructor(private readonly access: RestAccess) {}

  /**
   * @param path behind `/api/`
   * @returns the answer's JSON
   * @throws PostriderError for any answer but 2xx, and if no answer comes in time
   */
  async call<T extends JsonValue>(method: string, path: string, call: RestCall = {}): Promise<T> {
    const { answer, text } = await this.#answerOf(method, path, call);
    if (!answer.ok) throw refusal(answer, text);
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw new PostriderError('UNREACHABLE', 'The answer is not valid JSON of the service', {
        status: answer.status,
        cause,
      });
    }
  }

  async #answerOf(method: string, path: string, call: RestCall): Promise<{ answer: FetchAnswer; text: string }> {
    // Not `AbortSignal.timeout`: React Native has none.
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), this.access.timeoutMs);
    try {
      const answer = await this.#fetch(method, path, { ...call, signal: deadline.signal });
      const text = await answer.text().catch((cause: unknown) => {
        throw unreachable(cause);
      });
      return { answer, text };
    } finally {
      clearTimeout(timer);
    }
  }

  async #fetch(
    method: string,
    path: string,
    { body, headers, outlivesPage, signal }: RestCall & { signal: AbortSignal },
  ): Promise<FetchAnswer> {
    const { url, token, fetch } = this.access;
    const text = body === undefined ? undefined : JSON.stringify(body);
    try {
      return await fetch(`${url}/api/${path}`, {
        method,
        headers: {
          accept: 'application/json',
          'x-access-token': token,
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
        ...(outlivesPage && (text?.length ?? 0) * 3 < MOST_KEPT_ALIVE ? { keepalive: true } : {}),
        signal,
      });
    } catch (cause) {
      throw unreachable(cause);
    }
  }
}

function unreachable(cause: unknown): PostriderError {
  return new PostriderError('UNREACHABLE', 'The service did not answer', { cause });
}

function refusal({ status, headers }: FetchAnswer, text: string): PostriderError {
  const error = readJsonObject(text)?.error;
  const { code, message, details } = isJsonObject(error) ? error : {};
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new PostriderError(
    typeof code === 'string' ? code : `HTTP_${status}`,
    typeof message === 'string' ? message : `The service answered ${status}`,
    {
      status,
      details: Array.isArray(details) ? (details as { path: string; message: string }[]) : [],
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : null,
    },
  );
}
