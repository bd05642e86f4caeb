import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../api/reading';
import { Moment } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';

/** Whether the app of a device is connected now. Says nothing where that is not known. */
export function Presence({ installationId }: { installationId: string }): ReactNode {
  const { data } = useRead('/api/installations/{id}/presence', {
    params: { path: { id: installationId } },
    pollMs: 15_000,
  });
  if (!data) return null;
  const at = data.online ? data.connectedAt : data.lastSeenAt;
  return (
    <Text size="sm" mb="sm" component="div">
      <StateBadge state={data.online ? 'ok' : 'skipped'} label={data.online ? 'Connected now' : 'Not connected'} />
      {at && (
        <>
          {' '}
          {data.online ? 'since' : 'last seen'} <Moment at={at} />
        </>
      )}
    </Text>
  );
}
