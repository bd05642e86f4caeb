import type { QueryKey } from '@tanstack/react-query';
import createClient, { type Client, createFinalURL, defaultPathSerializer } from 'openapi-fetch';
import type { paths } from '@postrider/server/document';
import { ApiError, foreignAnswer, isNotFound, type Refusal } from './api-error';
import { noteGatewayTime } from './gateway-clock';
import { createContext, use, useMemo } from 'react';

type Json = 'application/json';
type AdminPath = Extract<keyof paths, `/api/admin/${string}`>;

/** The paths that the operator may request. */
export type AdminPaths = Pick<paths, AdminPath>;

/** The paths that may be requested of one application. */
export type ApplicationPaths = Omit<paths, AdminPath>;

/** The API of one application. Every call throws an `ApiError` unless it is answered with 2xx. */
export type ApplicationApi = Client<ApplicationPaths, Json>;

/** The operator's API; it throws as the application's does. */
export type AdminApi = Client<AdminPaths, Json>;

/** The name under which the operator's readings are kept, as an application's are under its id. */
export const ADMIN = 'admin';

/** A request by which the session cookie counts: no other site can set this header. */
export const PANEL_HEADERS = { 'x-postrider-panel': '1', accept: 'application/json' };

const OPTIONS = {
  fetch: askGateway,
  credentials: 'same-origin',
  headers: PANEL_HEADERS,
  querySerializer: queryText,
} as const;

/** The client of an application's API, under `/apps/<id>`. @param origin another gateway than the page's */
export function applicationApi(appId: string, origin = ''): ApplicationApi {
  return createClient<ApplicationPaths, Json>({ ...OPTIONS, baseUrl: origin + baseOf(appId) });
}

/** The client of the operator's API. */
const ADMIN_API: AdminApi = createClient<AdminPaths, Json>(OPTIONS);

/** The body of an answer. */
export async function answerOf<Body>(asked: Promise<{ data?: Body }>): Promise<NonNullable<Body>> {
  const { data } = await asked;
  if (data === undefined || data === null) throw new Error('The gateway answered with nothing');
  return data;
}

/** Waits for a deletion. What somebody else has deleted meanwhile is deleted. */
export async function deletionOf(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns the address of a path without a request: for a plain link, and for an upload. */
export function applicationUrl<Path extends keyof ApplicationPaths>(
  appId: string,
  path: Path,
  params: { path?: Record<string, string>; query?: Record<string, unknown> },
): string {
  return createFinalURL(path, {
    baseUrl: baseOf(appId),
    params,
    querySerializer: queryText,
    pathSerializer: defaultPathSerializer,
  });
}

/**
 * The key under which readings of a path are kept: of all of them, or of those with these parameters.
 *
 * @param scope an application's id, or `ADMIN`
 */
export function keyOf(scope: string, path: keyof paths, params?: object): QueryKey {
  return params === undefined ? [scope, path] : [scope, path, params];
}

function baseOf(appId: string): string {
  return `/apps/${encodeURIComponent(appId)}`;
}

/** Returns `a=1&b=2` of the values of a query; leaves out '' and values that are not text, number or flag. */
function queryText(query: Record<string, unknown> = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (isPlain && value !== '') words.set(name, String(value));
  }
  return words.toString();
}

/** The gateway closes connections on which nothing happens for two minutes. A server before it may wait for ever. */
const LONGEST_ANSWER_MS = 130_000;

/**
 * Sends a request and gives its answer, once all of it is there.
 *
 * @throws ApiError on every status but 2xx, and with status 0 when the gateway gives no whole answer
 */
export async function askGateway(request: Request): Promise<Response> {
  const { status, headers, text } = await reach(request);
  if (status < 200 || status > 299) throw refusalOf(status, text, headers.get('retry-after'));
  if (text !== '') readAnswer(status, text);
  return new Response(text === '' ? null : text, { status, headers });
}

/** Returns the body of a good answer. @throws ApiError if it is none of the gateway's, such as the sign-in page of a network */
export function readAnswer(status: number, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw foreignAnswer(status);
  }
}

/**
 * Returns the error for a refused request.
 *
 * @param text the body, which may come from a server between us and the gateway
 * @param retryAfter the header
 */
export function refusalOf(status: number, text: string, retryAfter: string | null): ApiError {
  const { message, code, details, current } = readError(text);
  const seconds = secondsOf(retryAfter);
  if (message === undefined) return foreignAnswer(status, seconds);
  return new ApiError(message, status, code ?? null, details ?? [], seconds, current ?? null);
}

/** A `Retry-After` in seconds; null: there is none, or it is a date. */
function secondsOf(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
}

interface WholeAnswer {
  status: number;
  headers: Headers;
  text: string;
}

async function reach(request: Request): Promise<WholeAnswer> {
  const late = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const askedAt = Date.now();
  try {
    const answer = await fetch(request, { signal: firstOf(request.signal, late) });
    noteGatewayTime(answer.headers.get('date'), askedAt);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    if (request.signal.aborted) throw error;
    const said = late.aborted ? 'The gateway did not answer in two minutes' : 'The gateway could not be reached';
    throw new ApiError(said, 0);
  }
}

/** What `AbortSignal.any` returns, which browsers of 2022 do not have. */
function firstOf(...signals: readonly AbortSignal[]): AbortSignal {
  const stopper = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) stopper.abort(signal.reason);
    signal.addEventListener('abort', () => stopper.abort(signal.reason));
  }
  return stopper.signal;
}

function readError(text: string): Partial<Refusal> {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<Refusal> };
    return typeof error?.message === 'string' ? error : {};
  } catch {
    return {};
  }
}

/** The id of the application that the pages below show. */
export const ApplicationContext = createContext<string | null>(null);

/** The application whose pages are shown. */
export function useAppId(): string {
  const appId = use(ApplicationContext);
  if (appId === null) throw new Error('No application is chosen here');
  return appId;
}

/** The API of that application. */
export function useApi(): ApplicationApi {
  const appId = useAppId();
  return useMemo(() => applicationApi(appId), [appId]);
}

/** The operator's API. */
export function useAdminApi(): AdminApi {
  return ADMIN_API;
}
