import { Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type {
  SegmentCountResponse,
  CountGroupRequest,
  ExplainGroupRequest,
  GroupRequest,
  SegmentExplanationResponse,
} from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatDuration, formatNoun, formatShare } from '../../components/format';
import { WaitingForVendors } from '../overview/waiting-for-vendors';
import classes from './audience-size.module.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useApi, useAppId, answerOf, keyOf } from '../../api/client';

/** The number of devices in a group and how many of them a message would reach, counted live. */
export function AudienceSize(props: {
  group: AskedGroup | null;
  countsUsers?: boolean;
  /** The number of unfinished rules that the group leaves out. */
  leftOut?: number;
  waiting: string;
}): ReactNode {
  const { group, countsUsers = false, leftOut = 0, waiting } = props;
  const counted = useGroupCount(group, { countsUsers });
  if (group === null) {
    return (
      <Text size="sm" c="dimmed">
        {waiting}
      </Text>
    );
  }
  if (counted.error && !counted.isFetching) {
    return <ErrorNotice error={counted.error} title="The count failed" onRetry={() => counted.refetch()} />;
  }
  return <Counted data={counted.data} isBehind={counted.isBehind} leftOut={leftOut} />;
}

function Counted(props: { data: SegmentCountResponse | undefined; isBehind: boolean; leftOut: number }): ReactNode {
  const { data, isBehind, leftOut } = props;
  return (
    <div className={classes.size} data-behind={isBehind || undefined}>
      <div className={classes.number} role="status" aria-live="polite" aria-busy={isBehind}>
        <span className={classes.count}>{data ? formatCount(data.count) : '…'}</span>
        <span className={classes.unit}>{data?.count === 1 ? 'device' : 'devices'} would get it</span>
        {isBehind && <Loader size={14} aria-hidden />}
      </div>
      {data && (
        <Text size="sm" c="dimmed">
          {sayReach(data)}. Counted in {formatDuration(data.tookMs / 1_000)}.
        </Text>
      )}
      {data && <WaitingForVendors waiting={data.waitingForVendors ?? []} />}
      {leftOut > 0 && <Text size="sm">Without {formatNoun(leftOut, 'rule')} that you have not finished yet.</Text>}
    </div>
  );
}

function sayReach({ count, devices, users = 0 }: SegmentCountResponse): string {
  const of = users > 0 ? `, of ${formatNoun(users, 'user')}` : '';
  if (devices === 0) return 'No device matches';
  if (count === devices) return `Every matching device can be reached${of}`;
  return `Of ${formatNoun(devices, 'device')} that match, ${formatShare(count, devices)} can be reached${of}`;
}

/** The subject of a count: rules, and the channel that a message would be sent on. */
export type AskedGroup = GroupRequest;

const TYPING_MS = 350;

/** The size of a group, counted again a moment after it changed. Null asks nothing. */
function useGroupCount(
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

/** The effect of each rule of a group, and for one user why their devices are in it or not. Asked only while `isOn`. */
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
