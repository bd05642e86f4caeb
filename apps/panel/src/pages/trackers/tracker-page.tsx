import { Button, Grid, Skeleton, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi, useAppId } from '../../api/application';
import { answerOf, keyOf } from '../../api/client';
import type { NewTrackerRequest, TrackerResponse } from '../../api/generated/document';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { IconTrash } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { formOf } from '../../model/tracker-form';
import { LinkBuilder } from './link-builder';
import { TrackerForm } from './tracker-form';
import { TrackerStats } from './tracker-stats';

const BACK = { href: '/trackers', label: 'Trackers' };

/** One tracker: its clicks, its links, its settings. */
export function TrackerPage({ id }: { id: string }): ReactNode {
  const found = useRead('/api/trackers/{id}', { params: { path: { id } } });
  if (found.isPending) return <Skeleton height={260} radius="lg" role="status" aria-label="Reading the tracker" />;
  if (found.isError) {
    return (
      <>
        <PageHeader title="Tracker" back={BACK} />
        <ErrorNotice error={found.error} title="The tracker could not be read" onRetry={() => void found.refetch()} />
      </>
    );
  }
  return <Tracker tracker={found.data} />;
}

function Tracker({ tracker }: { tracker: TrackerResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const params = { path: { id: tracker.id } };
  const mayChange = useCan('send');
  const saving = useMutation({
    mutationFn: (body: NewTrackerRequest) => answerOf(api.PATCH('/api/trackers/{id}', { params, body })),
    onSuccess: (saved) => {
      client.setQueryData(keyOf(appId, '/api/trackers/{id}', params), saved);
      void client.invalidateQueries({ queryKey: keyOf(appId, '/api/trackers') });
      notifications.show({ message: 'Saved.', color: 'pine' });
    },
  });
  return (
    <>
      <PageHeader
        title={<Typed text={tracker.name} lines={3} />}
        documentTitle={tracker.name}
        back={BACK}
        actions={mayChange && <DeleteTracker tracker={tracker} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <TrackerStats id={tracker.id} />
            <LinkBuilder url={tracker.url} />
          </Stack>
        </Grid.Col>
        {mayChange && (
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <SectionCard title="Where it leads">
              <TrackerForm
                start={formOf(tracker)}
                saveLabel="Save"
                error={saving.error}
                isSaving={saving.isPending}
                onSave={saving.mutate}
              />
            </SectionCard>
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

function DeleteTracker({ tracker }: { tracker: TrackerResponse }): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const remove = async (): Promise<void> => {
    await api.DELETE('/api/trackers/{id}', { params: { path: { id: tracker.id } } });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/trackers') });
    navigate('/trackers');
  };
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        title="Delete this tracker?"
        confirmLabel="Delete it"
        onConfirm={remove}
        onClose={() => setAsked(false)}
      >
        Whoever follows one of its links from now on finds a page that says that the link leads nowhere. Its numbers go
        too.
      </ConfirmDialog>
    </>
  );
}
