import { Button, Grid, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error';
import { useAppId } from '../../api/application';
import { applicationUrl } from '../../api/client';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconDownload, IconSearch, IconSend } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { Typed } from '../../components/typed';
import { AttributesCard } from './attributes-card';
import { DevicesCard } from './devices-card';
import { EraseUser } from './erase-user';
import { TagsCard } from './tags-card';
import { TimelineCard } from './timeline-card';

const BACK = { href: '/users', label: 'Users and devices' };

/** One user: tags, attributes, devices, and what was sent to them. */
export function UserPage({ userId }: { userId: string }): ReactNode {
  const found = useRead('/api/users/{userId}', { params: { path: { userId } } });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Unread userId={userId} error={found.error} onRetry={() => void found.refetch()} />;
  const user = found.data;
  return (
    <>
      <PageHeader
        title={<Typed text={userId} lines={3} />}
        documentTitle={userId}
        back={BACK}
        actions={<Actions userId={userId} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <DevicesCard devices={user.devices} />
            <TimelineCard userId={userId} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <TagsCard user={user} />
            <AttributesCard user={user} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Actions({ userId }: { userId: string }): ReactNode {
  const appId = useAppId();
  const maySend = useCan('send');
  return (
    <>
      <Button
        component="a"
        href={applicationUrl(appId, '/api/users/{userId}/export', { path: { userId } })}
        download={`${userId.replaceAll(/[^\w.-]/g, '_')}.json`}
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        Export
      </Button>
      <EraseUser userId={userId} />
      {maySend && (
        <Button
          component={Link}
          href={`/compose?user=${encodeURIComponent(userId)}`}
          leftSection={<IconSend size={16} aria-hidden />}
        >
          Send a message
        </Button>
      )}
    </>
  );
}

function Unread(props: { userId: string; error: Error; onRetry: () => void }): ReactNode {
  const { userId, error, onRetry } = props;
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <>
      <PageHeader title={<Typed text={userId} lines={3} />} documentTitle="User" back={BACK} />
      {isUnknown ? (
        <EmptyState icon={IconSearch} title="There is no such user">
          Nobody registered a device under this id, or the user was erased. Upper and lower case matter.
        </EmptyState>
      ) : (
        <ErrorNotice error={error} title="The user could not be read" onRetry={onRetry} />
      )}
    </>
  );
}

function Waiting(): ReactNode {
  return (
    <Stack role="status" aria-label="Reading the user">
      <Skeleton height={34} width="40%" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  );
}
