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
import { useEdits } from '../../components/use-edits';
import { SectionCard } from '../../components/section-card';
import { NUMBER_SIGNS } from '../../model/locale';
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

/** The limits while they are edited; '' = the server's. */
interface Limits {
  requestsPerSecond: string | number;
  devicesPerSecond: string | number;
}

/** The limits of the application, of which only those are saved that were changed here. */
export function LimitsForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const params = { path: { id: application.id } };
  const { values, changed, change, markSaved } = useEdits<Limits>({
    requestsPerSecond: application.requestsPerSecond ?? '',
    devicesPerSecond: application.devicesPerSecond ?? '',
  });
  const saving = useSave({
    save: async (saved: Partial<Limits>) => {
      const body = Object.fromEntries(Object.entries(saved).map(([name, value]) => [name, limitOf(value)]));
      if (Object.keys(body).length > 0) await api.PATCH('/api/admin/apps/{id}', { params, body });
      return saved;
    },
    said: 'The limits are saved',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params)],
    onDone: markSaved,
  });
  return (
    <SectionCard title="Limits" description="If a field is empty, the server’s limit applies.">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(changed);
        }}
      >
        <div className={classes.pair}>
          <NumberInput
            label="API requests per second"
            value={values.requestsPerSecond}
            onChange={(requestsPerSecond) => change({ requestsPerSecond })}
            min={limits.requestsPerSecond.minimum}
            max={limits.requestsPerSecond.maximum}
            allowDecimal={false}
            {...NUMBER_SIGNS}
            error={problemAt(saving.error, 'requestsPerSecond')}
          />
          <NumberInput
            label="Devices per second"
            value={values.devicesPerSecond}
            onChange={(devicesPerSecond) => change({ devicesPerSecond })}
            min={limits.devicesPerSecond.minimum}
            max={limits.devicesPerSecond.maximum}
            allowDecimal={false}
            {...NUMBER_SIGNS}
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

function limitOf(value: string | number): number | null {
  return value === '' ? null : Number(value);
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
