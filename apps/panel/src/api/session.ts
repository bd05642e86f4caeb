import type { Scope } from '@postrider/domain';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { ApiError } from './api-error';
import { request } from './request';

/** Who is signed in in this browser: the operator, or the holder of an application's token. */
export type Session = ({ kind: 'operator'; appId: null } | { kind: 'application'; appId: string }) & {
  scopes: readonly Scope[];
  /** Whether the gateway shows this session its API reference. */
  mayReadDocs: boolean;
};

export const SESSION_KEY = ['session'] as const;
const SESSION_PATH = '/panel/session';

/** The present session; null: nobody is signed in. */
export function useSessionQuery(): ReturnType<typeof useQuery<Session | null, Error>> {
  return useQuery<Session | null>({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000, retry: 1 });
}

async function readSession(): Promise<Session | null> {
  try {
    return (await request<Session>('GET', SESSION_PATH)).body;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Shows a token to the gateway, which answers with a cookie. @throws ApiError */
export async function signIn(token: string): Promise<Session> {
  return (await request<Session>('POST', SESSION_PATH, { body: { token } })).body;
}

/** Ends the session, and forgets all that was read under it. */
export async function signOut(client: QueryClient): Promise<void> {
  await request('DELETE', SESSION_PATH);
  // What is shown goes on looking at the session's own entry, so that one is changed and not removed.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  client.setQueryData(SESSION_KEY, null);
}

/** The session inside the signed-in part of the panel. */
export const SessionContext = createContext<Session | null>(null);

/** The session; only inside the signed-in part. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('Nobody is signed in here');
  return session;
}

/** Whether this session may do what needs `scope`; `server` covers all the others. */
export function useCan(scope: Scope): boolean {
  const { scopes } = useSession();
  return scopes.includes('server') || scopes.includes(scope);
}
