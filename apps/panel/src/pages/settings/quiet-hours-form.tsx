import { Button, Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isEditConflict, problemAt } from '../../api/api-error';
import { useAdminApi, ADMIN, keyOf } from '../../api/client';
import type { ApplicationChangesRequest, ApplicationResponse, QuietHoursResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { type Edits, useEdits } from '../../components/use-edits';
import { SectionCard } from '../../components/section-card';
import { changeNewest } from './change-newest';
import { overtaken, OvertakenNotice, type Sayings, sayOvertaking } from './overtaking';
import classes from './settings.module.css';

const SHOWN = ['quietHours.start', 'quietHours.end', 'quietHours.timeZone', 'defaultTimeZone'];

const USUAL: QuietHoursResponse = { start: '22:00', end: '08:00', timeZone: 'device', applies: 'campaigns' };

/** The quiet hours while they are edited. */
interface Settings extends QuietHoursResponse {
  isOn: boolean;
  /** The time zone of devices without one; '' = UTC. */
  zone: string;
}

/** The hours in which no phone rings. */
export function QuietHoursForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const params = { path: { id: application.id } };
  const stored = settingsOf(application);
  const { values, changed, base, change, markSaved, rebase } = useEdits<Settings>(stored);
  const theirs = sayTheirs(stored, { base, changed });
  const keep = (): void => {
    if (isSwitchedOff(stored, changed)) change({ isOn: true });
    rebase();
  };
  const saving = useSave({
    save: async (saved: Partial<Settings>) => {
      if (Object.keys(saved).length === 0) return saved;
      await changeNewest(api, application.id, (newest) => {
        if (sayTheirs(settingsOf(newest), { base, changed: saved }) !== null) throw overtaken(OVERTAKEN);
        // What was not changed here stays as it is by now.
        return changesOf(saved, settingsOf(newest));
      });
      return saved;
    },
    said: 'The quiet hours are saved',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params)],
    onDone: markSaved,
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
          saving.mutate(changed);
        }}
      >
        <Switch
          label="Use quiet hours"
          checked={values.isOn}
          onChange={({ currentTarget }) => change({ isOn: currentTarget.checked })}
        />
        {values.isOn && <Hours hours={values} problemAt={at} onChange={change} />}
        <TextInput
          label="Time zone of devices without one"
          description="For example Europe/Berlin. UTC if empty"
          value={values.zone}
          onChange={({ currentTarget }) => change({ zone: currentTarget.value })}
          error={at('defaultTimeZone')}
        />
        {theirs !== null && (
          <OvertakenNotice title={OVERTAKEN} theirs={theirs} onTake={() => change(stored)} onKeep={keep} />
        )}
        {!isEditConflict(saving.error) && <ErrorNotice error={saving.error} shownPaths={SHOWN} />}
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={theirs !== null}>
            Save
          </Button>
        </Group>
      </form>
    </SectionCard>
  );
}

function settingsOf({ quietHours, defaultTimeZone }: ApplicationResponse): Settings {
  return { ...USUAL, ...quietHours, isOn: quietHours != null, zone: defaultTimeZone ?? '' };
}

function changesOf({ zone, ...changed }: Partial<Settings>, newest: Settings): ApplicationChangesRequest {
  const { isOn, start, end, timeZone, applies } = { ...newest, ...changed };
  const quietHours = isOn ? { start, end, timeZone, applies } : null;
  return {
    ...(Object.keys(changed).length === 0 ? {} : { quietHours }),
    ...(zone === undefined ? {} : { defaultTimeZone: zone === '' ? null : zone }),
  };
}

const OVERTAKEN = 'Somebody else has changed the quiet hours';

function sayTheirs(stored: Settings, edits: Pick<Edits<Settings>, 'base' | 'changed'>): string | null {
  if (isSwitchedOff(stored, edits.changed)) return 'They switched the quiet hours off.';
  return sayOvertaking(stored, edits, SAYINGS);
}

/** True if hours were changed here that another operator has switched off meanwhile: saved, they would say nothing. */
function isSwitchedOff(stored: Settings, changed: Partial<Settings>): boolean {
  return !stored.isOn && changed.isOn === undefined && Object.keys(changed).some((name) => name !== 'zone');
}

const SAYINGS: Sayings<Settings> = {
  isOn: ({ isOn }) => (isOn ? 'switched on' : 'switched off'),
  start: ({ start }) => `from ${start}`,
  end: ({ end }) => `until ${end}`,
  applies: ({ applies }) => (applies === 'all' ? 'for messages to named users too' : 'for campaigns'),
  timeZone: ({ timeZone }) => `in the time zone ${timeZone}`,
  zone: ({ zone }) => `${zone === '' ? 'UTC' : zone} for devices without a time zone`,
};

function Hours(props: {
  hours: QuietHoursResponse;
  problemAt: (field: string) => string | undefined;
  onChange: (changes: Partial<QuietHoursResponse>) => void;
}): ReactNode {
  const { hours, problemAt: at, onChange } = props;
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          type="time"
          label="From"
          value={hours.start}
          onChange={({ currentTarget }) => onChange({ start: currentTarget.value })}
          error={at('quietHours.start')}
        />
        <TextInput
          type="time"
          label="Until"
          value={hours.end}
          onChange={({ currentTarget }) => onChange({ end: currentTarget.value })}
          error={at('quietHours.end')}
        />
      </div>
      <Radio.Group label="Apply to" value={hours.applies} onChange={(applies) => onChange({ applies })}>
        <Stack gap={6} mt={6}>
          <Radio value="campaigns" label="Campaigns" />
          <Radio value="all" label="Messages to named users too" />
        </Stack>
      </Radio.Group>
      <TextInput
        label="Time zone of the quiet hours"
        description="“device” for each device’s own time zone, or one time zone for all, such as Asia/Tehran"
        value={hours.timeZone}
        onChange={({ currentTarget }) => onChange({ timeZone: currentTarget.value })}
        error={at('quietHours.timeZone')}
      />
    </>
  );
}
