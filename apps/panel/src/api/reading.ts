import {
  hashKey,
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { ParamsOption } from 'openapi-fetch';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  useAdminApi,
  useApi,
  useAppId,
  ADMIN,
  type AdminPaths,
  answerOf,
  type ApplicationPaths,
  keyOf,
} from './client';
import { ApiError } from './api-error';
import { FRESH_MS } from './query-client';
import type { paths } from '@postrider/server/document';

/** The paths that can be read. */
type ReadPath<Paths> = { [Path in keyof Paths]: Paths[Path] extends { get: object } ? Path : never }[keyof Paths];

/** The operation that reads a path. */
type ReadingOf<Path> = Path extends keyof paths ? (paths[Path] extends { get: infer Get } ? Get : never) : never;

type BodyOf<Reading> = Reading extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;

/** The answer to a reading of a path, as the API document says. */
type AnswerTo<Path> = BodyOf<ReadingOf<Path>>;

/** How a reading behaves. */
interface Behaviour<Answer> {
  enabled?: boolean;
  /** Asks again every so many milliseconds; a function may say `false` once there is nothing left to wait for. */
  pollMs?: number | ((data: Answer | undefined) => number | false);
  /** Also reads again whenever this changes: other parts of the same page have changed. */
  follows?: string;
  /** Keeps showing the last answer while one for other words is fetched. */
  keepPrevious?: boolean;
}

/** The parameters of a reading: `params` as in the API document; they may be left out if none is required. */
type Options<Path, Answer> = ParamsOption<ReadingOf<Path>> & Behaviour<Answer>;
type OptionsOf<Path, Answer> =
  object extends Options<Path, Answer> ? [options?: Options<Path, Answer>] : [options: Options<Path, Answer>];

/** Reads `{application}/<path>`; `keyOf(appId, path, params)` is its key, by which `invalidateQueries` reads it again. */
export function useRead<Path extends ReadPath<ApplicationPaths>>(
  path: Path,
  ...[options]: OptionsOf<Path, AnswerTo<Path>>
): UseQueryResult<AnswerTo<Path>> {
  const asked = reading(useApi(), useAppId(), path, options ?? {});
  const found = useKnownFailure(useQuery(asked), asked.queryKey);
  useFollowing(options?.follows, found.refetch);
  return found;
}

/** Calls `again` whenever `mark` is another one than before. */
function useFollowing(mark: string | undefined, again: () => unknown): void {
  const seen = useRef(mark);
  useEffect(() => {
    if (seen.current === mark) return;
    seen.current = mark;
    void again();
  }, [mark, again]);
}

/** Reads `<path>` of the operator; `keyOf(ADMIN, path, params)` is its key. */
export function useAdminRead<Path extends ReadPath<AdminPaths>>(
  path: Path,
  ...[options]: OptionsOf<Path, AnswerTo<Path>>
): UseQueryResult<AnswerTo<Path>> {
  const asked = reading(useAdminApi(), ADMIN, path, options ?? {});
  return useKnownFailure(useQuery(asked), asked.queryKey);
}

/** A reading, or a list of parts. */
type Found = Pick<UseQueryResult, 'data' | 'error' | 'isPending' | 'isPaused' | 'isLoading' | 'isLoadingError'>;

/** Why nothing is asked: it is, as soon as the browser is on line again. */
const OFF_LINE = new ApiError('Your browser is off line', 0);

/**
 * Says of a first reading that the browser is off line, and keeps its failure until a later one is answered. TanStack Query forgets
 * it as soon as it asks again: the page would show that it is being read in place of what is wrong, every time.
 */
function useKnownFailure<Result extends Found>(found: Result, key: QueryKey): Result {
  const hash = hashKey(key);
  const [failed, setFailed] = useState<{ hash: string; error: Error } | null>(null);
  const { error } = found;
  const isNew = found.isLoadingError && error !== null && (failed?.error !== error || failed.hash !== hash);
  if (isNew) setFailed({ hash, error });
  if (!found.isPending) return found;
  if (found.isPaused) return withFailure(found, OFF_LINE);
  return failed?.hash === hash ? withFailure(found, failed.error) : found;
}

/** What was found, but for the failure. It is not copied: only the fields that a page reads make it render again. */
function withFailure<Result extends Found>(found: Result, error: Error): Result {
  const known = { error, isPending: false, isLoading: false, isError: true, isLoadingError: true, status: 'error' };
  return Object.create(found, Object.getOwnPropertyDescriptors(known)) as Result;
}

/** The methods of both clients. */
interface Reader {
  GET: (path: never, options: never) => Promise<{ data?: unknown }>;
}

interface Asked {
  params?: object;
  signal: AbortSignal;
}

/** Asks for a path. The types of a client know the answer to a path that is written out; here it is open, and `AnswerTo` of it is meant. */
function read<Answer>(api: Reader, path: keyof paths, asked: Asked): Promise<NonNullable<Answer>> {
  const get = api.GET as (path: string, asked: Asked) => Promise<{ data?: Answer }>;
  return answerOf(get(path, asked));
}

const AFTER_FAILURE_MS = 10_000;

/**
 * Returns after how many milliseconds something is read again. What could not be read is asked for less often: a gateway in trouble, or
 * one that answers 429, would get a request a second of each open panel.
 */
function pollAfter({ error }: { error: Error | null }, pollMs: number | false): number | false {
  return error === null || pollMs === false ? pollMs : Math.max(pollMs, AFTER_FAILURE_MS);
}

function reading<Answer>(
  api: Reader,
  scope: string,
  path: keyof paths,
  { params = {}, enabled = true, pollMs, keepPrevious }: { params?: object } & Behaviour<Answer>,
): Parameters<typeof useQuery<Answer>>[0] {
  return {
    queryKey: keyOf(scope, path, params),
    queryFn: ({ signal }) => read<Answer>(api, path, { params, signal }),
    enabled,
    ...(pollMs === undefined
      ? {}
      : { refetchInterval: ({ state }) => pollAfter(state, typeof pollMs === 'number' ? pollMs : pollMs(state.data)) }),
    ...(keepPrevious ? { placeholderData: (previous) => previous } : {}),
  };
}

/** A list that is read part by part; give it to `DataTable`. */
export interface CursorList<Item> {
  items: readonly Item[];
  error: Error | null;
  isLoading: boolean;
  isLoadingMore: boolean;
  /** Why the next part could not be read; `loadMore` tries again. */
  moreError: Error | null;
  hasMore: boolean;
  loadMore: () => void;
  refresh: () => Promise<unknown>;
}

const PART = 50;

/** True until the reader has gone beyond the first part of a list. A longer list is not read again as a whole. */
function isShort(data: InfiniteData<unknown> | undefined): boolean {
  return (data?.pages.length ?? 0) <= 1;
}

/** The paths that are read part by part. */
type ListPath = {
  [Path in ReadPath<ApplicationPaths>]: AnswerTo<Path> extends { nextCursor: string | null } ? Path : never;
}[ReadPath<ApplicationPaths>];

/** The fields of a part that hold items, and these items. */
type ListName<Part> = {
  [Name in keyof Part]-?: NonNullable<Part[Name]> extends readonly unknown[] ? Name : never;
}[keyof Part];
type ItemOf<Part, Name extends keyof Part> = NonNullable<Part[Name]> extends readonly (infer Item)[] ? Item : never;

interface ListAsked {
  params?: { query?: object };
  enabled?: boolean;
  pollMs?: number;
  follows?: string;
}

type ListOptions<Path> = ParamsOption<ReadingOf<Path>> & Omit<ListAsked, 'params'>;
type ListOptionsOf<Path> =
  object extends ListOptions<Path> ? [options?: ListOptions<Path>] : [options: ListOptions<Path>];

/**
 * Reads a list of the application part by part, by the `nextCursor` of each answer.
 *
 * @param name the field of the answer that holds the items (`messages`, `users`, …)
 */
export function useCursorList<Path extends ListPath, Name extends ListName<AnswerTo<Path>>>(
  path: Path,
  name: Name,
  ...[options]: ListOptionsOf<Path>
): CursorList<ItemOf<AnswerTo<Path>, Name>> {
  const api = useApi();
  const appId = useAppId();
  const { params = {}, enabled = true, pollMs, follows }: ListAsked = options ?? {};
  type Item = ItemOf<AnswerTo<Path>, Name>;
  type Part = Partial<Record<Name, readonly Item[]>> & { nextCursor: string | null };
  const queryKey = [...keyOf(appId, path, params), 'list'];
  const asked: UseInfiniteQueryResult<InfiniteData<Part>> = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PART, ...params.query, cursor: pageParam };
      return read<Part>(api, path, { params: { ...params, query }, signal });
    },
    initialPageParam: '',
    getNextPageParam: (last: Part) => last.nextCursor ?? undefined,
    enabled,
    // Whoever comes back to a long list finds it as it was. What was changed here in the meantime is read again all the same.
    staleTime: ({ state }) => (isShort(state.data) ? FRESH_MS : Infinity),
    refetchInterval: ({ state }) => pollAfter(state, pollMs !== undefined && isShort(state.data) ? pollMs : false),
  });
  const found = useKnownFailure(asked, queryKey);
  const { refetch } = found;
  const mayFollow = isShort(found.data);
  useFollowing(
    follows,
    useCallback(() => (mayFollow ? refetch() : undefined), [mayFollow, refetch]),
  );
  return {
    items: found.data?.pages.flatMap((part) => part[name] ?? []) ?? [],
    error: found.error,
    isLoading: found.isPending && enabled,
    isLoadingMore: found.isFetchingNextPage,
    moreError: found.isFetchNextPageError ? found.error : null,
    hasMore: found.hasNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage();
    },
    refresh: () => found.refetch(),
  };
}
