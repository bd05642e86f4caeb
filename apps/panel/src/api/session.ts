import type { PanelSession } from '@postrider/contracts';
import { MINUTE_MS, type Scope } from '@postrider/domain';
import { MutationCache, QueryCache, QueryClient, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiError } from './api-error';
import { askGateway, PANEL_HEADERS } from './client';

export const SESSION_KEY = ['session'] as const;
const SESSION_PATH = '/panel/session';

/** The present session; null: not signed in. */
export function useSessionQuery(): ReturnType<typeof useQuery<PanelSession | null, Error>> {
  return useQuery<PanelSession | null>({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: MINUTE_MS, retry: 1 });
}

async function readSession(): Promise<PanelSession | null> {
  try {
    return await sessionOf(await askGateway(asking('GET')));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Shows a token to the gateway, which answers with a cookie. @throws ApiError */
export async function signIn(token: string): Promise<PanelSession> {
  return sessionOf(await askGateway(asking('POST', { token })));
}

/** Ends the session, and forgets all that was read under it. */
export async function signOut(client: QueryClient): Promise<void> {
  await askGateway(asking('DELETE'));
  // The shown page continues to look at the session's own entry, so that entry is changed and not removed.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  client.setQueryData(SESSION_KEY, null);
}

function asking(method: string, body?: object): Request {
  const options = { method, credentials: 'same-origin' } as const;
  if (body === undefined) return new Request(SESSION_PATH, { ...options, headers: PANEL_HEADERS });
  const headers = { ...PANEL_HEADERS, 'content-type': 'application/json' };
  return new Request(SESSION_PATH, { ...options, headers, body: JSON.stringify(body) });
}

/** The route is the panel's own, and no part of the API document. */
async function sessionOf(answer: Response): Promise<PanelSession> {
  return (await answer.json()) as PanelSession;
}

/** The session inside the signed-in part of the panel. */
export const SessionContext = createContext<PanelSession | null>(null);

/** The session; only inside the signed-in part. */
export function useSession(): PanelSession {
  const session = use(SessionContext);
  if (session === null) throw new Error('Nobody is signed in here');
  return session;
}

/** True if this session may do what needs `scope`; `server` covers all the others. */
export function useCan(scope: Scope): boolean {
  const { scopes } = useSession();
  return scopes.includes('server') || scopes.includes(scope);
}

/** An answer that is younger is not read again when its reader comes back. */
export const FRESH_MS = 5_000;

/** Answers are kept half a minute; a request that failed for good is not repeated; a 401 ends the session. */
export function makeQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    if (error instanceof ApiError && error.status === 401) client.setQueryData(SESSION_KEY, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => (query.queryKey[0] === SESSION_KEY[0] ? undefined : onError(error)),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, gcTime: 300_000, retry: mayRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
  return client;
}

function mayRetry(failures: number, error: Error): boolean {
  const isPassing = !(error instanceof ApiError) || error.status === 0 || error.status === 503;
  return isPassing && failures < 2;
}
