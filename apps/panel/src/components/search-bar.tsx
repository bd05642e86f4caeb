import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useQueryParams } from '../api/address';
import { IconSearch, IconX } from './icons';
import classes from './search-bar.module.css';

/** A field that a list can be searched by: the name of its query parameter, and what a person calls it. */
interface SearchField {
  name: string;
  label: string;
}

/** A search: the field, the text, and both as the query of a request. */
interface Searched {
  name: string;
  text: string;
  query: Record<string, string>;
}

/** Returns the search in the page's address. */
export function useSearched(fields: readonly SearchField[]): Searched | null {
  const [params] = useQueryParams();
  for (const { name } of fields) {
    const text = params.get(name);
    if (text !== null && text !== '') return { name, text, query: { [name]: text } };
  }
  return null;
}

/** Searches a list by one of several fields; the search is kept in the address. */
export function SearchBar({ fields }: { fields: readonly SearchField[] }): ReactNode {
  const searched = useSearched(fields);
  return <Bar key={`${searched?.name ?? ''} ${searched?.text ?? ''}`} fields={fields} searched={searched} />;
}

function Bar(props: { fields: readonly SearchField[]; searched: Searched | null }): ReactNode {
  const { fields, searched } = props;
  const [, setParams] = useSearchParams();
  const [name, setName] = useState(searched?.name ?? fields[0]?.name ?? '');
  const [text, setText] = useState(searched?.text ?? '');
  // The other parts of the address belong to the page and stay.
  const search = (value: string): void => {
    const params = new URLSearchParams(window.location.search);
    for (const field of fields) params.delete(field.name);
    if (value !== '') params.set(name, value);
    setParams(params);
  };
  return (
    <form
      role="search"
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault();
        search(text.trim());
      }}
    >
      <div className={classes.fields}>
        {fields.length > 1 && (
          <Select
            aria-label="Search by"
            className={classes.field}
            data={fields.map((field) => ({ value: field.name, label: field.label }))}
            value={name}
            onChange={(value) => setName(value ?? name)}
            allowDeselect={false}
            comboboxProps={{ withinPortal: true }}
          />
        )}
        <TextInput
          aria-label={fields.find((field) => field.name === name)?.label ?? 'Search'}
          placeholder={`Search by ${(fields.find((field) => field.name === name)?.label ?? '').toLowerCase()}, exactly`}
          className={classes.text}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            searched && (
              <ActionIcon variant="subtle" color="gray" aria-label="Show all" onClick={() => search('')}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )
          }
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Search
        </Button>
      </div>
    </form>
  );
}
