import { Alert, Button, NumberInput, Skeleton, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { problemAt } from '../../api/api-error';
import { useAdminApi, useAppId, deletionOf } from '../../api/client';
import type { ApplicationResponse } from '@postrider/server/document';
import { ApplicationChangesRequest as limits } from '../../api/generated/limits';
import { useAdminRead } from '../../api/reading';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount } from '../../components/format';
import { IconInfoCircle } from '../../components/icons';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { NUMBER_SIGNS } from '../../model/locale';
import { ArchiveCard } from './archive-card';
import { GeneralForm } from './general-form';
import { FrequencyCapsForm } from './frequency-caps-form';
import { IdentityKeyCard } from './identity-key-card';
import { type Sayings, sayOvertaking } from './overtaking';
import { QuietHoursForm } from './quiet-hours-form';
import { SettingsForm, type SettingsPart, useSettings } from './settings-form';
import classes from './settings.module.css';

/** How often the application is read while it is being deleted. */
const LOOK_MS = 2_000;

/** The name and the behaviour of the application, its identity key, its limits and quiet hours, and its deletion. */
export function ApplicationSettings(): ReactNode {
  const appId = useAppId();
  const found = useAdminRead('/api/admin/apps/{id}', {
    params: { path: { id: appId } },
    pollMs: (application) => (application?.removalBeganAt ? LOOK_MS : false),
  });
  if (found.isPending) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading" />;
  if (found.data === undefined) return <ErrorNotice error={found.error} onRetry={() => found.refetch()} />;
  const application = found.data;
  if (application.removalBeganAt) return <BeingRemoved since={application.removalBeganAt} />;
  return (
    <div className={classes.stack}>
      <GeneralForm application={application} />
      <IdentityKeyCard application={application} />
      <LimitsForm application={application} />
      <QuietHoursForm application={application} />
      <FrequencyCapsForm application={application} />
      <ArchiveCard appId={appId} />
      <Removal application={application} onFailed={() => void found.refetch()} />
    </div>
  );
}

/** The limits while they are edited; '' = the server's. */
interface Limits {
  requestsPerSecond: string | number;
  devicesPerSecond: string | number;
}

const SHOWN = ['requestsPerSecond', 'devicesPerSecond'];

const SAYINGS: Sayings<Limits> = {
  requestsPerSecond: ({ requestsPerSecond }) => `${sayLimit(requestsPerSecond)} API requests per second`,
  devicesPerSecond: ({ devicesPerSecond }) => `${sayLimit(devicesPerSecond)} devices per second`,
};

function sayLimit(limit: string | number): string {
  return limit === '' ? 'the server’s limit of' : formatCount(Number(limit));
}

const LIMITS: SettingsPart<Limits> = {
  settingsOf: ({ requestsPerSecond, devicesPerSecond }) => ({
    requestsPerSecond: requestsPerSecond ?? '',
    devicesPerSecond: devicesPerSecond ?? '',
  }),
  sayTheirs: (stored, edits) => sayOvertaking(stored, edits, SAYINGS),
  bodyOf: (changed) => Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, limitOf(value)])),
  overtaken: 'Somebody else has changed the limits',
  said: 'The limits are saved',
};

/** The limits of the application. */
export function LimitsForm({ application }: { application: ApplicationResponse }): ReactNode {
  const settings = useSettings(application, LIMITS);
  const { values, change, error } = settings;
  return (
    <SectionCard title="Limits" description="If a field is empty, the server’s limit applies.">
      <SettingsForm settings={settings} shownPaths={SHOWN}>
        <div className={classes.pair}>
          <NumberInput
            label="API requests per second"
            value={values.requestsPerSecond}
            onChange={(requestsPerSecond) => change({ requestsPerSecond })}
            min={limits.requestsPerSecond.minimum}
            max={limits.requestsPerSecond.maximum}
            allowDecimal={false}
            {...NUMBER_SIGNS}
            error={problemAt(error, 'requestsPerSecond')}
          />
          <NumberInput
            label="Devices per second"
            value={values.devicesPerSecond}
            onChange={(devicesPerSecond) => change({ devicesPerSecond })}
            min={limits.devicesPerSecond.minimum}
            max={limits.devicesPerSecond.maximum}
            allowDecimal={false}
            {...NUMBER_SIGNS}
            error={problemAt(error, 'devicesPerSecond')}
          />
        </div>
      </SettingsForm>
    </SectionCard>
  );
}

function limitOf(value: string | number): number | null {
  return value === '' ? null : Number(value);
}

function BeingRemoved({ since }: { since: string }): ReactNode {
  return (
    <Alert color="sky" variant="light" icon={<IconInfoCircle aria-hidden />} title="This application is being deleted">
      The deletion began <Moment at={since} />, and goes on when this page is closed. The tokens and the credentials of
      vendors are deleted already. Nothing can be changed any more.
    </Alert>
  );
}

/** @param props.onFailed the deletion may have begun, and goes on then */
function Removal(props: { application: ApplicationResponse; onFailed: () => void }): ReactNode {
  const { application, onFailed } = props;
  const api = useAdminApi();
  const [, navigate] = useLocation();
  const [isAsking, setAsking] = useState(false);
  const removing = useSave({
    save: () => deletionOf(api.DELETE('/api/admin/apps/{id}', { params: { path: { id: application.id } } })),
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
        onConfirm={() => removing.mutateAsync(undefined, { onError: onFailed })}
        onClose={() => setAsking(false)}
      >
        All its users, devices, messages, promo codes and tokens are deleted. This cannot be undone.
      </ConfirmDialog>
    </SectionCard>
  );
}
