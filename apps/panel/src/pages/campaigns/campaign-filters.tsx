import { Button, Select, TextInput } from '@mantine/core';
import { DAY_MS, MESSAGE_STATUSES } from '@postrider/domain';
import type { ReactNode } from 'react';
import { useWords } from '../../api/address';
import classes from './campaigns-page.module.css';

/** The words of the address that narrow the list down. */
const NAMES = ['status', 'kind', 'since', 'until', 'language'] as const;

type Name = (typeof NAMES)[number];

const STATES = MESSAGE_STATUSES.map((status) => ({ value: status, label: status }));
const KINDS = [
  { value: 'query', label: 'To a segment' },
  { value: 'users', label: 'To everyone' },
  { value: 'notify', label: 'Vendor push only' },
];

/** What the address narrows the list of campaigns down to, as the API takes it; empty: to nothing. Days are those of the reader. */
export function useCampaignFilters(): Record<string, string> {
  const [words] = useWords();
  const { status, kind, since, until, language } = valuesOf(words);
  const [from, last] = [Date.parse(`${since}T00:00`), Date.parse(`${until}T00:00`)];
  const query = {
    status,
    kind,
    from: Number.isNaN(from) ? '' : new Date(from).toISOString(),
    // A day may have 23 hours, or 25: the next one begins at its own midnight.
    to: Number.isNaN(last) ? '' : nextMidnight(last).toISOString(),
    language: language.trim(),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function nextMidnight(day: number): Date {
  const next = new Date(day + DAY_MS * 1.5);
  next.setHours(0, 0, 0, 0);
  return next;
}

function valuesOf(words: URLSearchParams): Record<Name, string> {
  return Object.fromEntries(NAMES.map((name) => [name, words.get(name) ?? ''])) as Record<Name, string>;
}

/** Narrows the list of campaigns down, by what stands in the address. */
export function CampaignFilters(): ReactNode {
  const [words, setWords] = useWords();
  const values = valuesOf(words);
  const set = (name: Name, value: string): void => {
    words.set(name, value);
    if (value === '') words.delete(name);
    setWords(Object.fromEntries(words));
  };
  const clear = (): void => {
    for (const name of NAMES) words.delete(name);
    setWords(Object.fromEntries(words));
  };
  return (
    <div role="group" aria-label="Filters" className={classes.filters}>
      {(['status', 'kind'] as const).map((name) => (
        <Select
          key={name}
          label={name === 'status' ? 'State' : 'Kind'}
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': name === 'status' ? 'Show all states' : 'Show all kinds' }}
          data={name === 'status' ? STATES : KINDS}
          value={values[name] || null}
          onChange={(value) => set(name, value ?? '')}
        />
      ))}
      <TextInput
        type="date"
        label="From"
        value={values.since}
        onChange={({ currentTarget }) => set('since', currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        value={values.until}
        onChange={({ currentTarget }) => set('until', currentTarget.value)}
      />
      <TextInput
        label="Language"
        placeholder="fa"
        value={values.language}
        onChange={({ currentTarget }) => set('language', currentTarget.value)}
      />
      {NAMES.some((name) => values[name] !== '') && (
        <Button variant="subtle" onClick={clear}>
          Show all
        </Button>
      )}
    </div>
  );
}
