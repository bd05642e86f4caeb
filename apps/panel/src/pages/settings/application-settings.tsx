import { Button, Group, NumberInput, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { problemAt } from '../../api/api-error';
import { useAdminApi, useAppId, ADMIN, keyOf } from '../../api/client';
import type { ApplicationResponse } from '@postrider/server/document';
import { ApplicationChangesRequest as limits } from '../../api/generated/limits';
import { useAdminRead } from '../../api/reading';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { SectionCard } from '../../components/section-card';
import { ArchiveCard } from './archive-card';
import { GeneralForm } from './general-form';
import { FrequencyCapsForm } from './frequency-caps-form';
import { QuietHoursForm } from './quiet-hours-form';
import classes from './settings.module.css';

/** The name and the behaviour of the application, its limits and quiet hours, and its deletion. */
export function ApplicationSettings(): ReactNode {
  const appId = useAppId();
  const found = useAdminRead('/api/admin/apps/{id}', { params: { path: { id: appId } } });
  if (found.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading" />;
  if (found.data === undefined) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  const application = found.data;
  return (
    <div className={classes.stack}>
      <GeneralForm application={application} />
      <LimitsForm application={application} />
      <QuietHoursForm application={application} />
      <FrequencyCapsForm application={application} />
      <ArchiveCard appId={appId} />
      <Removal application={application} />
    </div>
  );
}

function LimitsForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const params = { path: { id: application.id } };
  const [requestsPerSecond, setRequests] = useState<string | number>(application.requestsPerSecond ?? '');
  const [devicesPerSecond, setDevices] = useState<string | number>(application.devicesPerSecond ?? '');
  const limit = (value: string | number): number | null => (value === '' ? null : Number(value));
  const saving = useSave({
    save: () =>
      api.PATCH('/api/admin/apps/{id}', {
        params,
        body: { requestsPerSecond: limit(requestsPerSecond), devicesPerSecond: limit(devicesPerSecond) },
      }),
    said: 'The limits are saved',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params)],
  });
  return (
    <SectionCard title="Limits" description="If a field is empty, the server’s limit applies.">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <div className={classes.pair}>
          <NumberInput
            label="API requests per second"
            value={requestsPerSecond}
            onChange={setRequests}
            min={limits.requestsPerSecond.minimum}
            max={limits.requestsPerSecond.maximum}
            allowDecimal={false}
            thousandSeparator=","
            error={problemAt(saving.error, 'requestsPerSecond')}
          />
          <NumberInput
            label="Devices per second"
            value={devicesPerSecond}
            onChange={setDevices}
            min={limits.devicesPerSecond.minimum}
            max={limits.devicesPerSecond.maximum}
            allowDecimal={false}
            thousandSeparator=","
            error={problemAt(saving.error, 'devicesPerSecond')}
          />
        </div>
        <ErrorNotice error={saving.error} shownPaths={['requestsPerSecond', 'devicesPerSecond']} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </SectionCard>
  );
}

function Removal({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const [, navigate] = useLocation();
  const [isAsking, setAsking] = useState(false);
  const removing = useSave({
    save: () => api.DELETE('/api/admin/apps/{id}', { params: { path: { id: application.id } } }),
    said: 'The application is deleted',
    changes: [],
    onDone: () => navigate('~/panel/applications'),
  });
  return (
    <SectionCard title="Delete the application">
      <div className={classes.row}>
        <Text size="sm" c="dimmed" maw="36rem">
          Its users, devices, messages, codes and tokens are deleted too. This cannot be undone.
        </Text>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          Delete it
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Delete this application?"
        confirmLabel="Delete for good"
        typed={application.id}
        onConfirm={() => removing.mutateAsync()}
        onClose={() => setAsking(false)}
      >
        All its users, devices, messages, promo codes and tokens are deleted. This cannot be undone.
      </ConfirmDialog>
    </SectionCard>
  );
}
