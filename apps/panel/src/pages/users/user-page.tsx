import { Button, Grid, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../../api/api-error';
import { useAppId, applicationUrl, useApi, answerOf, keyOf } from '../../api/client';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconDownload, IconSearch, IconSend, IconTrash } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { Typed } from '../../components/typed';
import { DevicesCard, TypedFact } from './devices-card';
import { SectionCard } from '../../components/section-card';
import type { UserResponse } from '@postrider/server/document';
import classes from './users.module.css';
import { TagsCard } from './tags-card';
import { TimelineCard } from './timeline-card';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { formatNoun } from '../../components/format';

const BACK = { href: '/users', label: 'Users and devices' };

/** One user: tags, attributes, devices, and the messages that were sent to them. */
export function UserPage({ userId }: { userId: string }): ReactNode {
  const found = useRead('/api/users/{userId}', { params: { path: { userId } } });
  if (found.isPending) return <Waiting />;
  if (found.data === undefined || isUnknown(found.error)) {
    return <Unread userId={userId} error={found.error} onRetry={() => found.refetch()} />;
  }
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
            <TimelineCard userId={userId} devices={user.devices} />
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

/** The user was erased, perhaps while the page is open. */
function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404;
}

function Unread(props: { userId: string; error: Error | null; onRetry: () => unknown }): ReactNode {
  const { userId, error, onRetry } = props;
  return (
    <>
      <PageHeader title={<Typed text={userId} lines={3} />} documentTitle="User" back={BACK} />
      {isUnknown(error) ? (
        <EmptyState icon={IconSearch} title="There is no such user">
          No device is registered for this user id, or the user was erased. Upper and lower case matter.
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

/** Erases a user, after their id was typed. */
function EraseUser({ userId }: { userId: string }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  if (!useCan('server')) return null;
  const params = { path: { userId } };
  const erase = async (): Promise<void> => {
    const { devices, messages } = await answerOf(api.DELETE('/api/users/{userId}', { params }));
    notifications.show({
      color: 'pine',
      message: `Erased: ${formatNoun(devices, 'device')} and what was sent to this user alone (${formatNoun(messages, 'message')}).`,
    });
    client.removeQueries({ queryKey: keyOf(appId, '/api/users/{userId}', params) });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/users') });
    navigate('/users');
  };
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
        Erase
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title="Erase this user?"
        confirmLabel="Erase for good"
        typed={userId}
        onConfirm={erase}
        onClose={() => setAsked(false)}
      >
        <Text size="sm">
          All devices, tags, attributes and deliveries of this user are deleted, and messages that were sent to this
          user only. The user id is removed from all other messages. This cannot be undone. Export first what you have
          to keep.
        </Text>
      </ConfirmDialog>
    </>
  );
}

const MOST_SHOWN = 500;

/** The attributes of a user, by name. */
function AttributesCard({ user }: { user: UserResponse }): ReactNode {
  const attributes = Object.entries(user.attributes).sort(([one], [other]) => one.localeCompare(other));
  return (
    <SectionCard title="Attributes" description="Used in segments and personal texts.">
      {attributes.length === 0 ? (
        <Text size="sm" c="dimmed">
          No attributes yet.
        </Text>
      ) : (
        <dl className={classes.facts}>
          {attributes.slice(0, MOST_SHOWN).map(([name, value]) => (
            <TypedFact key={name} name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
          ))}
        </dl>
      )}
      {attributes.length > MOST_SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          The first {MOST_SHOWN} of {attributes.length}. The export contains all of them.
        </Text>
      )}
    </SectionCard>
  );
}
