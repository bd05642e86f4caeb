import { ActionIcon, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useQueryParam } from '../api/address';
import type { CursorList } from '../api/reading';
import { EmptyState } from './empty-state';
import { IconSearch, IconX } from './icons';
import classes from './search-bar.module.css';

/** How long a person pauses before a list is searched for what they typed. */
export const SEARCH_PAUSE_MS = 250;

/** The query of a list that is searched by a part of its names, as the page's address has it. */
export function useNameSearch(): { name?: string } {
  const [typed] = useQueryParam('name');
  const [settled] = useDebouncedValue(typed, SEARCH_PAUSE_MS);
  return nameQuery(settled);
}

/** The query for everything with `part` in its name; of no part it names none. */
export function nameQuery(part: string): { name?: string } {
  const name = part.trim();
  return name === '' ? {} : { name };
}

/** Searches a list by a part of its names while it is typed. Left out where there is nothing to search. */
export function NameSearch({ list }: { list: CursorList<unknown> }): ReactNode {
  const [typed, setTyped] = useQueryParam('name');
  if (typed === '' && list.items.length === 0 && !list.isLoading && list.error === null) return null;
  return (
    <div role="search" className={classes.bar}>
      <TextInput
        aria-label="Search"
        placeholder="Search by a part of the name"
        className={classes.text}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          typed !== '' && (
            <ActionIcon variant="subtle" color="gray" aria-label="Show all" onClick={() => setTyped('')}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )
        }
        dir="auto"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </div>
  );
}

/** What stands in place of a list of which no name has the searched part. */
export function NoSuchName({ noun }: { noun: string }): ReactNode {
  return (
    <EmptyState icon={IconSearch} title={`No ${noun} has this in its name`}>
      Upper and lower case are the same. Try a shorter part.
    </EmptyState>
  );
}
