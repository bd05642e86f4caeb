import { Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SegmentCountResponse } from '../../api/generated/document';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatDuration, formatNoun, formatShare } from '../../components/format';
import classes from './audience-size.module.css';
import { type AskedGroup, useGroupCount } from './group-measures';

/** How many devices a group has and how many of them a message would reach, counted live. */
export function AudienceSize(props: { group: AskedGroup | null; countsUsers?: boolean; waiting: string }): ReactNode {
  const { group, countsUsers = false, waiting } = props;
  const counted = useGroupCount(group, { countsUsers });
  if (group === null) {
    return (
      <Text size="sm" c="dimmed">
        {waiting}
      </Text>
    );
  }
  if (counted.error && !counted.isFetching) {
    return <ErrorNotice error={counted.error} title="The count failed" onRetry={() => void counted.refetch()} />;
  }
  return <Counted data={counted.data} isBehind={counted.isBehind} />;
}

function Counted({ data, isBehind }: { data: SegmentCountResponse | undefined; isBehind: boolean }): ReactNode {
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
    </div>
  );
}

function sayReach({ count, devices, users = 0 }: SegmentCountResponse): string {
  const of = users > 0 ? `, of ${formatNoun(users, 'user')}` : '';
  if (devices === 0) return 'No device matches';
  if (count === devices) return `Every device that matches can be reached${of}`;
  return `Of ${formatNoun(devices, 'device')} that match, ${formatShare(count, devices)} can be reached${of}`;
}
