import { Button, Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemAt } from '../../api/api-error';
import { useAdminApi, ADMIN, keyOf } from '../../api/client';
import type { ApplicationResponse, QuietHoursResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { SectionCard } from '../../components/section-card';
import classes from './settings.module.css';

const SHOWN = ['quietHours.start', 'quietHours.end', 'quietHours.timeZone', 'defaultTimeZone'];

const USUAL: QuietHoursResponse = { start: '22:00', end: '08:00', timeZone: 'device', applies: 'campaigns' };

/** The hours in which no phone rings. */
export function QuietHoursForm({ application }: { application: ApplicationResponse }): ReactNode {
  const { quietHours, defaultTimeZone } = application;
  const api = useAdminApi();
  const params = { path: { id: application.id } };
  const [isOn, setOn] = useState(quietHours != null);
  const [hours, setHours] = useState<QuietHoursResponse>({ ...USUAL, ...quietHours });
  const [zone, setZone] = useState(defaultTimeZone ?? '');
  const saving = useSave({
    save: () =>
      api.PATCH('/api/admin/apps/{id}', {
        params,
        body: { quietHours: isOn ? hours : null, defaultTimeZone: zone === '' ? null : zone },
      }),
    said: 'The quiet hours are saved',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params)],
  });
  const at = (field: string): string | undefined => problemAt(saving.error, field);
  return (
    <SectionCard
      title="Quiet hours"
      description="Messages wait until the quiet hours are over, unless they expire before."
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Switch label="Use quiet hours" checked={isOn} onChange={({ currentTarget }) => setOn(currentTarget.checked)} />
        {isOn && <Hours hours={hours} problemAt={at} onChange={setHours} />}
        <TextInput
          label="Time zone of devices without one"
          description="For example Europe/Berlin. UTC if empty"
          value={zone}
          onChange={({ currentTarget }) => setZone(currentTarget.value)}
          error={at('defaultTimeZone')}
        />
        <ErrorNotice error={saving.error} shownPaths={SHOWN} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </SectionCard>
  );
}

function Hours(props: {
  hours: QuietHoursResponse;
  problemAt: (field: string) => string | undefined;
  onChange: (hours: QuietHoursResponse) => void;
}): ReactNode {
  const { hours, problemAt: at, onChange } = props;
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          type="time"
          label="From"
          value={hours.start}
          onChange={({ currentTarget }) => onChange({ ...hours, start: currentTarget.value })}
          error={at('quietHours.start')}
        />
        <TextInput
          type="time"
          label="Until"
          value={hours.end}
          onChange={({ currentTarget }) => onChange({ ...hours, end: currentTarget.value })}
          error={at('quietHours.end')}
        />
      </div>
      <Radio.Group label="Apply to" value={hours.applies} onChange={(applies) => onChange({ ...hours, applies })}>
        <Stack gap={6} mt={6}>
          <Radio value="campaigns" label="Campaigns" />
          <Radio value="all" label="Messages to named users too" />
        </Stack>
      </Radio.Group>
      <TextInput
        label="Time zone of the quiet hours"
        description="“device” for each device’s own time zone, or one time zone for all, such as Asia/Tehran"
        value={hours.timeZone}
        onChange={({ currentTarget }) => onChange({ ...hours, timeZone: currentTarget.value })}
        error={at('quietHours.timeZone')}
      />
    </>
  );
}
