import { ApiError, type ErrorDetail } from './api-error';

/** Values of a query string; what is undefined, null or '' is left out. */
export type Query = Record<string, string | number | boolean | null | undefined>;

/** What a request may carry. */
export interface RequestOptions {
  query?: Query;
  /** Sent as JSON, unless it is a file or a form. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An answer with its headers (`X-Message-Id` of a send). */
export interface Answer<T> {
  body: T;
  headers: Headers;
}

/** A request by which the session cookie counts: no other site can set this header. */
const OURS = { 'x-postrider-panel': '1' };

/** @throws ApiError on every status but 2xx, and with status 0 when no answer comes */
export async function request<T>(
  method: string,
  path: string,
  { query, body, headers, signal }: RequestOptions = {},
): Promise<Answer<T>> {
  const isFile = body instanceof Blob || body instanceof FormData;
  const answer = await reach(`${path}${queryString(query)}`, {
    method,
    signal: signal ?? null,
    credentials: 'same-origin',
    headers: {
      ...OURS,
      accept: 'application/json',
      ...(body === undefined || isFile ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw refusalOf(answer, text);
  return { body: (text === '' ? null : JSON.parse(text)) as T, headers: answer.headers };
}

/** `?a=1&b=2`, or '' when nothing is asked. */
export function queryString(query: Query = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') words.set(name, String(value));
  }
  return words.size === 0 ? '' : `?${words}`;
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('The gateway could not be reached', 0);
  }
}

function refusalOf(answer: Response, text: string): ApiError {
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const said = readError(text);
  return new ApiError(
    said?.message ?? `The gateway answered with status ${answer.status}`,
    answer.status,
    said?.code ?? null,
    said?.details ?? [],
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}

function readError(text: string): { message?: string; code?: string; details?: ErrorDetail[] } | null {
  try {
    return (JSON.parse(text) as { error?: { message?: string; code?: string; details?: ErrorDetail[] } }).error ?? null;
  } catch {
    return null;
  }
}
