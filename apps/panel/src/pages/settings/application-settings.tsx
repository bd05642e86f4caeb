import { Button, Group, NumberInput, Radio, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ApplicationResponse } from '@postrider/contracts';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { problemAt } from '../../api/api-error';
import { useAdminApi, useAppId } from '../../api/application';
import { useAdminRead } from '../../api/reading';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { ErrorNotice } from '../../components/error-notice';
import { SectionCard } from '../../components/section-card';
import { QuietHoursForm } from './quiet-hours-form';
import classes from './settings.module.css';
import { useSave } from './use-save';

/** What the application is called and how it behaves, its limits and quiet hours, and its end. */
export function ApplicationSettings(): ReactNode {
  const appId = useAppId();
  const found = useAdminRead<ApplicationResponse>(`apps/${appId}`);
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading" />;
  const application = found.data;
  return (
    <div className={classes.stack}>
      <GeneralForm application={application} />
      <LimitsForm application={application} />
      <QuietHoursForm application={application} />
      <Removal application={application} />
    </div>
  );
}

function GeneralForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const path = `apps/${application.id}`;
  const [name, setName] = useState(application.name);
  const [defaultAlertText, setAlert] = useState(application.defaultAlertText);
  const [defaultRegion, setRegion] = useState(application.defaultRegion ?? '');
  const [requireUserHash, setRequired] = useState(application.requireUserHash);
  const [promoExhausted, setExhausted] = useState<string>(application.promoExhausted);
  const saving = useSave({
    save: () =>
      api.patch(path, {
        name,
        defaultAlertText,
        defaultRegion: defaultRegion === '' ? null : defaultRegion,
        requireUserHash,
        promoExhausted,
      }),
    said: 'The settings are saved',
    changes: [
      ['admin', path],
      ['admin', 'apps'],
    ],
  });
  const at = (field: string): string | undefined => problemAt(saving.error, field);
  return (
    <SectionCard title="Application">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <TextInput
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={at('name')}
          required
          dir="auto"
        />
        <TextInput
          label="Text of a notification that has none"
          value={defaultAlertText}
          onChange={({ currentTarget }) => setAlert(currentTarget.value)}
          error={at('defaultAlertText')}
          required
          dir="auto"
        />
        <TextInput
          label="Region of phone numbers without a country code"
          description="Two letters, as in IR, DE, US; for fallback SMS"
          value={defaultRegion}
          onChange={({ currentTarget }) => setRegion(currentTarget.value)}
          error={at('defaultRegion')}
          maxLength={2}
          w="10rem"
        />
        <Switch
          label="Devices have to prove whose they are"
          description="Your backend signs each user id with the identity key"
          checked={requireUserHash}
          onChange={({ currentTarget }) => setRequired(currentTarget.checked)}
        />
        <Radio.Group
          label="When all promo codes are used up"
          value={promoExhausted}
          onChange={setExhausted}
          error={at('promoExhausted')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="send_without" label="Send the message without a code" />
            <Radio value="skip" label="Do not send it to whoever would get none" />
          </Stack>
        </Radio.Group>
        <ErrorNotice
          error={saving.error}
          shownPaths={['name', 'defaultAlertText', 'defaultRegion', 'promoExhausted']}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </SectionCard>
  );
}

function LimitsForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const path = `apps/${application.id}`;
  const [requestsPerSecond, setRequests] = useState<string | number>(application.requestsPerSecond ?? '');
  const [devicesPerSecond, setDevices] = useState<string | number>(application.devicesPerSecond ?? '');
  const limit = (value: string | number): number | null => (value === '' ? null : Number(value));
  const saving = useSave({
    save: () =>
      api.patch(path, { requestsPerSecond: limit(requestsPerSecond), devicesPerSecond: limit(devicesPerSecond) }),
    said: 'The limits are saved',
    changes: [['admin', path]],
  });
  return (
    <SectionCard title="Limits" description="Left empty, the server’s own limit holds, or none.">
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <div className={classes.pair}>
          <NumberInput
            label="API requests a second"
            value={requestsPerSecond}
            onChange={setRequests}
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            error={problemAt(saving.error, 'requestsPerSecond')}
          />
          <NumberInput
            label="Devices sent to a second"
            value={devicesPerSecond}
            onChange={setDevices}
            min={1}
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
    save: () => api.delete(`apps/${application.id}`),
    said: 'The application is deleted',
    changes: [],
    onDone: () => navigate('~/panel/applications'),
  });
  return (
    <SectionCard title="Delete the application">
      <div className={classes.row}>
        <Text size="sm" c="dimmed" maw="36rem">
          Its users, devices, messages, codes and tokens are deleted with it, at once and for good.
        </Text>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          Delete it
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Delete this application?"
        confirmLabel="Delete it for good"
        typed={application.id}
        onConfirm={() => removing.mutateAsync()}
        onClose={() => setAsking(false)}
      >
        Everything of it is deleted: users, devices, messages, promo codes, tokens. Nobody can bring it back.
      </ConfirmDialog>
    </SectionCard>
  );
}
