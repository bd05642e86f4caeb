import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { CursorList } from '../api/reading';
import { SEARCH_PAUSE_MS } from './name-search';

/** Something that is chosen by its name. */
export interface Named {
  id: string;
  name: string;
}

interface NamedSelectProps extends Pick<
  SelectProps,
  'className' | 'clearable' | 'clearButtonProps' | 'error' | 'label' | 'placeholder'
> {
  /** What is offered for the part of a name that `onSearch` got last. */
  found: CursorList<Named>;
  /** What is chosen; null: nothing. It need not be among what is offered. */
  chosen: Named | null;
  /** What a thing of the list is called. */
  noun: string;
  onSearch: (part: string) => void;
  onChange: (chosen: Named | null) => void;
}

/** Offers the newest of many named things, and finds the others by a part of their names: there may be more of them than a list offers. */
export function NamedSelect({ found, chosen, noun, onSearch, onChange, ...field }: NamedSelectProps): ReactNode {
  const [typed, setTyped] = useState('');
  const search = useDebouncedCallback(onSearch, SEARCH_PAUSE_MS);
  const offered =
    found.items.some(({ id }) => id === chosen?.id) || chosen === null ? found.items : [chosen, ...found.items];
  return (
    <Select
      {...field}
      searchable
      // The gateway has searched.
      filter={({ options }) => options}
      nothingFoundMessage={found.isLoading ? 'Searching …' : `No ${noun} has this in its name`}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen?.id ?? null}
      searchValue={typed}
      onSearchChange={(text) => {
        setTyped(text);
        // The name of what is chosen is no search: the others are offered beside it.
        search(text === chosen?.name ? '' : text);
      }}
      onChange={(id) => onChange(offered.find((one) => one.id === id) ?? null)}
    />
  );
}
