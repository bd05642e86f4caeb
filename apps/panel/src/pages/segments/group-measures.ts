import type { SegmentCountResponse, SegmentExplanationResponse } from '@postrider/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useApi, useAppId } from '../../api/application';

/** What is counted: rules as the API takes them, and the channel that a message would be sent on. */
export interface AskedGroup {
  target?: unknown;
  segment?: unknown;
  channel?: string;
}

const TYPING_MS = 350;

/** The size of a group, counted anew a moment after it changed. Null asks nothing. */
export function useGroupCount(
  group: AskedGroup | null,
  { countsUsers = false }: { countsUsers?: boolean } = {},
): UseQueryResult<SegmentCountResponse> & { isBehind: boolean } {
  const api = useApi();
  const appId = useAppId();
  const asked = group === null ? null : JSON.stringify({ ...group, users: countsUsers });
  const [settled] = useDebouncedValue(asked, TYPING_MS);
  const found = useQuery({
    queryKey: [appId, 'segments/count', settled],
    queryFn: ({ signal }) =>
      api.post<SegmentCountResponse>('segments/count', JSON.parse(settled ?? '{}') as unknown, { signal }),
    enabled: settled !== null && asked !== null,
    placeholderData: (previous) => previous,
    staleTime: 30_000,
  });
  return { ...found, isBehind: asked !== settled || found.isFetching };
}

/** What each rule of a group does, and for one user why his devices are in it or not. Asked only while `isOn`. */
export function useGroupExplanation(
  group: AskedGroup | null,
  { isOn, userId }: { isOn: boolean; userId?: string },
): UseQueryResult<SegmentExplanationResponse> {
  const api = useApi();
  const appId = useAppId();
  const asked = group === null ? null : JSON.stringify({ ...group, ...(userId ? { userId } : {}) });
  const [settled] = useDebouncedValue(asked, TYPING_MS);
  return useQuery({
    queryKey: [appId, 'segments/explain', settled],
    queryFn: ({ signal }) =>
      api.post<SegmentExplanationResponse>('segments/explain', JSON.parse(settled ?? '{}') as unknown, { signal }),
    enabled: isOn && settled !== null && asked !== null,
    placeholderData: (previous) => (userId === undefined ? previous : undefined),
    staleTime: 30_000,
  });
}
