import { Button, Select, TextInput } from '@mantine/core';
import { DAY_MS, MESSAGE_STATUSES, type MessageKind } from '@postrider/domain';
import { type ReactNode, useState } from 'react';
import { useQueryParams } from '../../api/address';
import { useCursorList, useRead } from '../../api/reading';
import { nameQuery } from '../../components/name-search';
import { NamedSelect } from '../../components/named-select';
import classes from './send-filters.module.css';

/** The query parameters that narrow the list down. */
const NAMES = ['status', 'kind', 'since', 'until', 'channel', 'templateId', 'language'] as const;

type Name = (typeof NAMES)[number];

/** A message that is scheduled was accepted, and has not left. */
const STATES = MESSAGE_STATUSES.map((status) => ({
  value: status,
  label: status === 'accepted' ? 'accepted, scheduled' : status,
}));

/** The names of the kinds of messages in a list. */
export type KindLabels = Partial<Record<MessageKind, string>>;

/**
 * Returns the filter of a list of messages or campaigns in the page's address, as the API takes it; empty: none. Days
 * are the reader's.
 */
export function useSendFilters(): Record<string, string> {
  const [params] = useQueryParams();
  const { status, kind, since, until, channel, templateId, language } = valuesOf(params);
  const [from, last] = [Date.parse(`${since}T00:00`), Date.parse(`${until}T00:00`)];
  const query = {
    status,
    kind,
    from: Number.isNaN(from) ? '' : new Date(from).toISOString(),
    // A day may have 23 hours, or 25: the next one begins at its own midnight.
    to: Number.isNaN(last) ? '' : nextMidnight(last).toISOString(),
    channel: channel.trim(),
    templateId,
    language: language.trim(),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function nextMidnight(day: number): Date {
  const next = new Date(day + DAY_MS * 1.5);
  next.setHours(0, 0, 0, 0);
  return next;
}

function valuesOf(params: URLSearchParams): Record<Name, string> {
  return Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;
}

/** Filters a list of messages or campaigns by the page's address. */
export function SendFilters({ kinds }: { kinds: KindLabels }): ReactNode {
  const [params, setParams] = useQueryParams();
  const values = valuesOf(params);
  const set = (name: Name, value: string): void => {
    params.set(name, value);
    if (value === '') params.delete(name);
    setParams(Object.fromEntries(params));
  };
  const clear = (): void => {
    for (const name of NAMES) params.delete(name);
    setParams(Object.fromEntries(params));
  };
  const ofKind = Object.entries(kinds).map(([value, label]) => ({ value, label }));
  const choices = [
    { name: 'status', label: 'State', all: 'Show all states', data: STATES },
    { name: 'kind', label: 'Kind', all: 'Show all kinds', data: ofKind },
  ] as const;
  return (
    <div role="group" aria-label="Filters" className={classes.filters}>
      {choices.map(({ name, label, all, data }) => (
        <Select
          key={name}
          label={label}
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': all }}
          data={data}
          value={values[name] || null}
          onChange={(value) => set(name, value ?? '')}
        />
      ))}
      <TextInput
        type="date"
        label="Sent since"
        value={values.since}
        onChange={({ currentTarget }) => set('since', currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Sent until"
        value={values.until}
        onChange={({ currentTarget }) => set('until', currentTarget.value)}
      />
      <TextInput
        label="Channel"
        placeholder="sport"
        value={values.channel}
        onChange={({ currentTarget }) => set('channel', currentTarget.value)}
      />
      <TemplateFilter value={values.templateId} onChange={(id) => set('templateId', id)} />
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

/** Filters by one template. Left out while there is none. */
function TemplateFilter({ value, onChange }: { value: string; onChange: (id: string) => void }): ReactNode {
  const [part, setPart] = useState('');
  const found = useCursorList('/api/templates', 'templates', { params: { query: nameQuery(part) } });
  const chosen = useRead('/api/templates/{id}', { params: { path: { id: value } }, enabled: value !== '' }).data;
  if (found.items.length === 0 && part === '' && value === '') return null;
  return (
    <NamedSelect
      label="Template"
      placeholder="All"
      noun="template"
      clearable
      clearButtonProps={{ 'aria-label': 'Show all templates' }}
      found={found}
      chosen={chosen ?? null}
      onSearch={setPart}
      onChange={(template) => onChange(template?.id ?? '')}
    />
  );
}
