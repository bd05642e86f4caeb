import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useApi, useAppId } from '../../api/application';
import { answerOf, keyOf } from '../../api/client';
import type {
  CountGroupRequest,
  ExplainGroupRequest,
  GroupRequest,
  SegmentCountResponse,
  SegmentExplanationResponse,
} from '../../api/generated/document';

/** What is counted: rules, and the channel that a message would be sent on. */
export type AskedGroup = GroupRequest;

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
    queryKey: [...keyOf(appId, '/api/segments/count'), settled],
    queryFn: ({ signal }) => {
      const body = JSON.parse(settled ?? '{}') as CountGroupRequest;
      return answerOf(api.POST('/api/segments/count', { body, signal }));
    },
    enabled: settled !== null && asked !== null,
    placeholderData: (previous) => previous,
    staleTime: 30_000,
  });
  return { ...found, isBehind: asked !== settled || found.isFetching };
}

/** What each rule of a group does, and for one user why their devices are in it or not. Asked only while `isOn`. */
export function useGroupExplanation(
  group: AskedGroup | null,
  { isOn, userId }: { isOn: boolean; userId?: string },
): UseQueryResult<SegmentExplanationResponse> {
  const api = useApi();
  const appId = useAppId();
  const asked = group === null ? null : JSON.stringify({ ...group, ...(userId ? { userId } : {}) });
  const [settled] = useDebouncedValue(asked, TYPING_MS);
  return useQuery({
    queryKey: [...keyOf(appId, '/api/segments/explain'), settled],
    queryFn: ({ signal }) => {
      const body = JSON.parse(settled ?? '{}') as ExplainGroupRequest;
      return answerOf(api.POST('/api/segments/explain', { body, signal }));
    },
    enabled: isOn && settled !== null && asked !== null,
    placeholderData: (previous) => (userId === undefined ? previous : undefined),
    staleTime: 30_000,
  });
}
