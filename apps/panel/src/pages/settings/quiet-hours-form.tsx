import { Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemAt } from '../../api/api-error';
import type { ApplicationChangesRequest, ApplicationResponse, QuietHoursResponse } from '@postrider/server/document';
import type { Edits } from '../../components/use-edits';
import { SectionCard } from '../../components/section-card';
import { type Sayings, sayOvertaking } from './overtaking';
import { SettingsForm, useSettings } from './settings-form';
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
  const settings = useSettings(application, {
    settingsOf,
    sayTheirs,
    // What was not changed here stays as it is by now.
    bodyOf: (changed, _base, newest) => changesOf(changed, settingsOf(newest)),
    overtaken: 'Somebody else has changed the quiet hours',
    said: 'The quiet hours are saved',
  });
  const { values, stored, changed, change, rebase } = settings;
  const keep = (): void => {
    if (isSwitchedOff(stored, changed)) change({ isOn: true });
    rebase();
  };
  const at = (field: string): string | undefined => problemAt(settings.error, field);
  return (
    <SectionCard
      title="Quiet hours"
      description="Messages wait until the quiet hours are over, unless they expire before."
    >
      <SettingsForm settings={settings} shownPaths={SHOWN} onKeep={keep}>
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
      </SettingsForm>
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
