import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemAt } from '../../api/api-error';
import type { ApplicationResponse, FrequencyCapResponse } from '@postrider/server/document';
import { formatNoun, formatSpan } from '../../components/format';
import { ADDS, removeAndFocus } from '../../components/keep-focus';
import { SectionCard } from '../../components/section-card';
import { SettingsForm, type SettingsPart, useSettings } from './settings-form';

const MOST_CAPS = 5;
/** Longest first: a span is shown in the longest unit that divides it. */
const UNITS = [
  { value: '86400', label: 'days' },
  { value: '3600', label: 'hours' },
  { value: '60', label: 'minutes' },
  { value: '1', label: 'seconds' },
];

/** A cap while it is edited; its number is text until then. */
interface EditedCap {
  messages: number | string;
  spans: number | string;
  unit: string;
}

interface Settings {
  caps: EditedCap[];
}

const CAPS: SettingsPart<Settings> = {
  settingsOf: ({ frequencyCaps }) => ({ caps: frequencyCaps.map(editedOf) }),
  // The positions of two lists say nothing of each other: so nothing is merged.
  sayTheirs: ({ caps }, { base, changed }) =>
    isOtherThan(caps, base.caps, changed.caps) ? sayCaps(caps.map(capOf)) : null,
  bodyOf: ({ caps = [] }) => ({ frequencyCaps: caps.map(capOf) }),
  overtaken: 'Somebody else has changed the frequency caps',
  said: 'The frequency caps are saved',
};

/** The most campaigns that a user gets. */
export function FrequencyCapsForm({ application }: { application: ApplicationResponse }): ReactNode {
  const settings = useSettings(application, CAPS);
  const { change, error } = settings;
  const { caps } = settings.values;
  const setCaps = (edited: EditedCap[]): void => change({ caps: edited });
  const [added, setAdded] = useState<number | null>(null);
  const add = (): void => {
    setAdded(caps.length);
    setCaps([...caps, { messages: 3, spans: 1, unit: '86400' }]);
  };
  const changeCap = (place: number, cap: EditedCap): void =>
    setCaps(caps.map((other, at) => (at === place ? cap : other)));
  const shown = caps.flatMap((_, place) => [pathOf(place, 'messages'), pathOf(place, 'seconds')]);
  return (
    <SectionCard
      title="Frequency caps"
      description="A user gets at most this many campaigns within this time. Messages to named users are not counted, unless they say so."
    >
      <SettingsForm
        settings={settings}
        shownPaths={shown}
        button={
          caps.length < MOST_CAPS && (
            <Button variant="default" onClick={add} {...ADDS}>
              Add a cap
            </Button>
          )
        }
      >
        {caps.length === 0 && <Text c="dimmed">Users get every campaign.</Text>}
        {caps.map((cap, place) => (
          <Cap
            key={place}
            name={`Cap ${place + 1}`}
            cap={cap}
            isNew={place === added}
            problemAt={(field) => problemAt(error, pathOf(place, field))}
            onChange={(edited) => changeCap(place, edited)}
            onRemove={() => setCaps(caps.filter((_, at) => at !== place))}
          />
        ))}
      </SettingsForm>
    </SectionCard>
  );
}

function Cap(props: {
  name: string;
  cap: EditedCap;
  /** It was just added, so it gets the focus. */
  isNew: boolean;
  problemAt: (field: 'messages' | 'seconds') => string | undefined;
  onChange: (cap: EditedCap) => void;
  onRemove: () => void;
}): ReactNode {
  const { name, cap, isNew, problemAt: at, onChange, onRemove } = props;
  return (
    <Group role="group" aria-label={name} align="flex-start" gap="sm">
      <NumberInput
        w={150}
        label="At most"
        autoFocus={isNew}
        suffix=" campaigns"
        allowDecimal={false}
        value={cap.messages}
        onChange={(messages) => onChange({ ...cap, messages })}
        error={at('messages')}
      />
      <NumberInput
        w={90}
        label="In"
        allowDecimal={false}
        value={cap.spans}
        onChange={(spans) => onChange({ ...cap, spans })}
        error={at('seconds')}
      />
      <NativeSelect
        label="Unit"
        data={UNITS}
        value={cap.unit}
        onChange={({ currentTarget }) => onChange({ ...cap, unit: currentTarget.value })}
      />
      <Button
        variant="subtle"
        color="red"
        mt={24}
        onClick={(event) => removeAndFocus(event, onRemove)}
        aria-label={`Remove ${name.toLowerCase()}`}
      >
        Remove
      </Button>
    </Group>
  );
}

/** True if caps were changed here, and the stored ones are neither those from which that began nor those that were made of them. */
function isOtherThan(stored: EditedCap[], base: EditedCap[] = [], changed?: EditedCap[]): boolean {
  const textOf = (caps: EditedCap[]): string => JSON.stringify(caps.map(capOf));
  return changed !== undefined && [base, changed].every((known) => textOf(known) !== textOf(stored));
}

function sayCaps(caps: readonly FrequencyCapResponse[]): string {
  if (caps.length === 0) return 'They removed all of them.';
  const said = caps.map(({ messages, seconds }) => `${formatNoun(messages, 'campaign')} in ${formatSpan(seconds)}`);
  return `Theirs are: ${said.join('; ')}.`;
}

function pathOf(place: number, field: 'messages' | 'seconds'): string {
  return `frequencyCaps[${place}].${field}`;
}

function editedOf({ messages, seconds }: FrequencyCapResponse): EditedCap {
  const unit = UNITS.find(({ value }) => seconds % Number(value) === 0)?.value ?? '1';
  return { messages, spans: seconds / Number(unit), unit };
}

function capOf({ messages, spans, unit }: EditedCap): FrequencyCapResponse {
  return { messages: Number(messages), seconds: Number(spans) * Number(unit) };
}
