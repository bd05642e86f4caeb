import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { problemAt } from '../../api/api-error';
import { ADMIN, keyOf, useAdminApi } from '../../api/client';
import type { ApplicationResponse, FrequencyCapResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { useEdits } from '../../components/use-edits';
import { SectionCard } from '../../components/section-card';
import classes from './settings.module.css';

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

/** The most campaigns that a user gets. */
export function FrequencyCapsForm({ application }: { application: ApplicationResponse }): ReactNode {
  const api = useAdminApi();
  const params = { path: { id: application.id } };
  const { values, changed, change, markSaved } = useEdits<Settings>({ caps: application.frequencyCaps.map(editedOf) });
  const { caps } = values;
  const setCaps = (edited: EditedCap[]): void => change({ caps: edited });
  const [added, setAdded] = useState<number | null>(null);
  const add = (): void => {
    setAdded(caps.length);
    setCaps([...caps, { messages: 3, spans: 1, unit: '86400' }]);
  };
  const saving = useSave({
    save: async (saved: Partial<Settings>) => {
      if (saved.caps)
        await api.PATCH('/api/admin/apps/{id}', { params, body: { frequencyCaps: saved.caps.map(capOf) } });
      return saved;
    },
    said: 'The frequency caps are saved',
    changes: [keyOf(ADMIN, '/api/admin/apps/{id}', params)],
    onDone: markSaved,
  });
  const changeCap = (place: number, cap: EditedCap): void =>
    setCaps(caps.map((other, at) => (at === place ? cap : other)));
  const shown = caps.flatMap((_, place) => [pathOf(place, 'messages'), pathOf(place, 'seconds')]);
  return (
    <SectionCard
      title="Frequency caps"
      description="A user gets at most this many campaigns within this time. Messages to named users are not counted, unless they say so."
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate(changed);
        }}
      >
        {caps.length === 0 && <Text c="dimmed">Users get every campaign.</Text>}
        {caps.map((cap, place) => (
          <Cap
            key={place}
            name={`Cap ${place + 1}`}
            cap={cap}
            isNew={place === added}
            problemAt={(field) => problemAt(saving.error, pathOf(place, field))}
            onChange={(edited) => changeCap(place, edited)}
            onRemove={() => setCaps(caps.filter((_, at) => at !== place))}
          />
        ))}
        <ErrorNotice error={saving.error} shownPaths={shown} />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Save
          </Button>
          {caps.length < MOST_CAPS && (
            <Button variant="default" onClick={add}>
              Add a cap
            </Button>
          )}
        </Group>
      </form>
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
      <Button variant="subtle" color="red" mt={24} onClick={onRemove} aria-label={`Remove ${name.toLowerCase()}`}>
        Remove
      </Button>
    </Group>
  );
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
