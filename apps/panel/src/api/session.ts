import type { PanelSession } from '@postrider/contracts';
import { MINUTE_MS, type Scope } from '@postrider/domain';
import { type Query, type QueryClient, QueryObserver, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect } from 'react';
import { ApiError } from './api-error';
import { askGateway, PANEL_HEADERS } from './client';

export const SESSION_KEY = ['session'] as const;
const SESSION_PATH = '/panel/session';

/** Who is signed in; once the session is over, who was. */
export interface SessionState {
  session: PanelSession;
  /** The session has ended by itself: what was begun in it is kept for the same person. */
  isOver: boolean;
}

/** The present session; null: nobody has signed in, or they signed out. */
export function useSessionQuery(): ReturnType<typeof useQuery<SessionState | null, Error>> {
  return useQuery<SessionState | null>({
    queryKey: SESSION_KEY,
    queryFn: ({ client }) => readSession(client),
    // Who is not signed in here may have signed in in another tab.
    staleTime: ({ state }) => (isSignedIn(state.data) ? MINUTE_MS : 0),
    retry: 1,
  });
}

async function readSession(client: QueryClient): Promise<SessionState | null> {
  try {
    return begun(client, await sessionOf(await askGateway(asking('GET'))));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return over(client);
    throw error;
  }
}

/** Shows a token to the gateway, which answers with a cookie. @throws ApiError */
export async function signIn(client: QueryClient, token: string): Promise<void> {
  const session = await sessionOf(await askGateway(asking('POST', { token })));
  client.setQueryData(SESSION_KEY, begun(client, session));
}

/** Ends the session, and forgets all that was read under it. */
export async function signOut(client: QueryClient): Promise<void> {
  await askGateway(asking('DELETE'));
  forgetReadings(client);
  client.setQueryData(SESSION_KEY, null);
}

/** The holder of a token, by a text that no other one has. */
export function holderOf(session: PanelSession): string {
  return session.kind === 'operator' ? session.kind : `token ${session.tokenId}`;
}

/** The state in a session. What was read for somebody else before is not shown in it. */
function begun(client: QueryClient, session: PanelSession): SessionState {
  const former = client.getQueryData<SessionState>(SESSION_KEY);
  if (former && holderOf(former.session) !== holderOf(session)) forgetReadings(client);
  return { session, isOver: false };
}

function isSignedIn(state: SessionState | null | undefined): boolean {
  return state !== null && state !== undefined && !state.isOver;
}

/** Takes note of a failed request: a 401 ends the session. Those of readings and mutations come here by themselves. */
export function meetFailure(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) client.setQueryData(SESSION_KEY, over(client));
}

/** The state after a session that has ended by itself. */
function over(client: QueryClient): SessionState | null {
  const former = client.getQueryData<SessionState>(SESSION_KEY);
  return former ? { ...former, isOver: true } : null;
}

function forgetReadings(client: QueryClient): void {
  // The shown page continues to look at the session's own entry, so that entry is changed and not removed.
  client.removeQueries({ predicate: isReading });
}

function isReading({ queryKey }: Query): boolean {
  return queryKey[0] !== SESSION_KEY[0];
}

/**
 * Keeps all that was read while the pages that show it are hidden. Without readers it would be forgotten after some minutes, and a
 * page that has to read it again drops its forms until then.
 */
export function useKeptReadings(areHidden: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!areHidden) return undefined;
    const ends = client
      .getQueryCache()
      .findAll({ predicate: isReading })
      .map(({ options, queryKey }) => {
        const observer = new QueryObserver(client, { ...options, queryKey, enabled: false });
        return observer.subscribe(() => undefined);
      });
    return () => ends.forEach((end) => end());
  }, [client, areHidden]);
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
