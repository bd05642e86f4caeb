import { MINUTE_MS } from '@postrider/domain';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';
import { meetFailure, SESSION_KEY } from './session';

/** An answer that is younger is not read again when its reader comes back. */
export const FRESH_MS = 5_000;

/**
 * Makes the client that keeps what was read: an answer for five minutes after its last reader is gone. A reading that got
 * no answer, or 503, is repeated up to twice; one that was refused is not. A 401 ends the session.
 */
export function makeQueryClient(): QueryClient {
  const onError = (error: Error): void => meetFailure(client, error);
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => (query.queryKey[0] === SESSION_KEY[0] ? undefined : onError(error)),
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, gcTime: 5 * MINUTE_MS, retry: mayRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
  return client;
}

function mayRetry(failures: number, error: Error): boolean {
  const isPassing = !(error instanceof ApiError) || error.status === 0 || error.status === 503;
  return isPassing && failures < 2;
}
