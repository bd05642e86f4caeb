import type { QueryKey } from '@tanstack/react-query';
import createClient, { type Client, createFinalURL, defaultPathSerializer } from 'openapi-fetch';
import { askGateway } from './ask-gateway';
import type { paths } from './generated/document';

type Json = 'application/json';
type AdminPath = Extract<keyof paths, `/api/admin/${string}`>;

/** What the operator may ask. */
export type AdminPaths = Pick<paths, AdminPath>;

/** What may be asked of one application. */
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
export const ADMIN_API: AdminApi = createClient<AdminPaths, Json>(OPTIONS);

/** The body of an answer. */
export async function answerOf<Body>(asked: Promise<{ data?: Body }>): Promise<NonNullable<Body>> {
  const { data } = await asked;
  if (data === undefined || data === null) throw new Error('The gateway answered with nothing');
  return data;
}

/** Where something is asked for, without asking: for a plain link, and for an upload. */
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

/** `a=1&b=2` of the values of a query; what is no text, number or flag, and '', is left out. */
function queryText(query: Record<string, unknown> = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (isPlain && value !== '') words.set(name, String(value));
  }
  return words.toString();
}
