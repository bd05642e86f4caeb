import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error';
import { SESSION_KEY } from './session';

/** What is read is kept half a minute; what failed for good is not tried again; a 401 ends the session. */
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
      queries: { staleTime: 5_000, gcTime: 300_000, retry: mayRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
  return client;
}

function mayRetry(failures: number, error: Error): boolean {
  const isPassing = !(error instanceof ApiError) || error.status === 0 || error.status === 503;
  return isPassing && failures < 2;
}
