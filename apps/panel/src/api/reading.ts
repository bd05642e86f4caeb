import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useAdminApi, useApi, useAppId } from './application';
import type { Query } from './request';

/** How a reading behaves. */
export interface ReadOptions<T> {
  query?: Query;
  enabled?: boolean;
  /** Asks again every so many milliseconds; a function may say `false` once there is nothing left to wait for. */
  pollMs?: number | ((data: T | undefined) => number | false);
  /** Keeps showing the last answer while one for other words is fetched. */
  keepPrevious?: boolean;
}

/** Reads `GET {application}/api/<path>`; the key is `[appId, path, query]`, so `invalidateQueries([appId, path])` reads again. */
export function useRead<T>(path: string, options: ReadOptions<T> = {}): UseQueryResult<T> {
  const api = useApi();
  const appId = useAppId();
  return useQuery<T>(reading([appId, path], (signal) => api.get<T>(path, options.query, signal), options));
}

/** Reads `GET /api/admin/<path>`; the key is `['admin', path, query]`. */
export function useAdminRead<T>(path: string, options: ReadOptions<T> = {}): UseQueryResult<T> {
  const api = useAdminApi();
  return useQuery<T>(reading(['admin', path], (signal) => api.get<T>(path, options.query, signal), options));
}

function reading<T>(
  key: readonly string[],
  fetch: (signal: AbortSignal) => Promise<T>,
  { query, enabled = true, pollMs, keepPrevious }: ReadOptions<T>,
): Parameters<typeof useQuery<T>>[0] {
  return {
    queryKey: [...key, query ?? {}],
    queryFn: ({ signal }) => fetch(signal),
    enabled,
    ...(pollMs === undefined
      ? {}
      : { refetchInterval: typeof pollMs === 'number' ? pollMs : ({ state }) => pollMs(state.data) }),
    ...(keepPrevious ? { placeholderData: (previous) => previous } : {}),
  };
}

/** A list that is read part by part; give it to `DataTable`. */
export interface CursorList<Item> {
  items: readonly Item[];
  error: Error | null;
  isLoading: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore: () => void;
  refresh: () => void;
}

const PART = 50;

/**
 * Reads a list of the application part by part, by the `nextCursor` of each answer.
 *
 * @param name the field of the answer that holds the items (`messages`, `users`, …)
 */
export function useCursorList<Item>(
  path: string,
  name: string,
  { query = {}, enabled = true, pollMs }: { query?: Query; enabled?: boolean; pollMs?: number } = {},
): CursorList<Item> {
  const api = useApi();
  const appId = useAppId();
  type Part = Record<string, Item[]> & { nextCursor: string | null };
  const found: UseInfiniteQueryResult<InfiniteData<Part>> = useInfiniteQuery({
    queryKey: [appId, path, 'list', query],
    queryFn: ({ pageParam, signal }) => api.get<Part>(path, { limit: PART, ...query, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (last: Part) => last.nextCursor ?? undefined,
    enabled,
    // A long list is not read again whole: only while nobody has gone further than its first part.
    refetchInterval: ({ state }) => (pollMs !== undefined && (state.data?.pages.length ?? 0) <= 1 ? pollMs : false),
  });
  return {
    items: found.data?.pages.flatMap((part) => part[name] ?? []) ?? [],
    error: found.error,
    isLoading: found.isPending && enabled,
    isLoadingMore: found.isFetchingNextPage,
    hasMore: found.hasNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage();
    },
    refresh: () => void found.refetch(),
  };
}
