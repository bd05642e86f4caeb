import { Button, Group, NativeSelect, NumberInput, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isEditConflict, problemAt } from '../../api/api-error';
import { ADMIN, keyOf, useAdminApi } from '../../api/client';
import type { ApplicationResponse, FrequencyCapResponse } from '@postrider/server/document';
import { useSave } from '../../api/use-save';
import { ErrorNotice } from '../../components/error-notice';
import { formatNoun, formatSpan } from '../../components/format';
import { useEdits } from '../../components/use-edits';
import { SectionCard } from '../../components/section-card';
import { changeNewest } from './change-newest';
import { overtaken, OvertakenNotice } from './overtaking';
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
  const stored: Settings = { caps: application.frequencyCaps.map(editedOf) };
  const { values, changed, base, change, markSaved, rebase } = useEdits<Settings>(stored);
  const { caps } = values;
  const isOvertaken = changed.caps !== undefined && isOtherThan(application.frequencyCaps, base.caps, changed.caps);
  const setCaps = (edited: EditedCap[]): void => change({ caps: edited });
  const [added, setAdded] = useState<number | null>(null);
  const add = (): void => {
    setAdded(caps.length);
    setCaps([...caps, { messages: 3, spans: 1, unit: '86400' }]);
  };
  const saving = useSave({
    save: async (saved: Partial<Settings>) => {
      const own = saved.caps;
      if (own === undefined) return saved;
      await changeNewest(api, application.id, ({ frequencyCaps }) => {
        // The positions of two lists say nothing of each other: so nothing is merged.
        if (isOtherThan(frequencyCaps, base.caps, own)) throw overtaken(OVERTAKEN);
        return { frequencyCaps: own.map(capOf) };
      });
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
        {isOvertaken && (
          <OvertakenNotice
            title={OVERTAKEN}
            theirs={sayCaps(application.frequencyCaps)}
            onTake={() => change(stored)}
            onKeep={rebase}
          />
        )}
        {!isEditConflict(saving.error) && <ErrorNotice error={saving.error} shownPaths={shown} />}
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={isOvertaken}>
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

const OVERTAKEN = 'Somebody else has changed the frequency caps';

/** True if these caps are neither those from which the changes began nor those that were made of them. */
function isOtherThan(caps: FrequencyCapResponse[], base: EditedCap[] = [], own: EditedCap[] = []): boolean {
  const text = JSON.stringify(caps.map(editedOf).map(capOf));
  return [base, own].every((known) => JSON.stringify(known.map(capOf)) !== text);
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
