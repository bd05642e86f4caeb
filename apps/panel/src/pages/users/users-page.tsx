import { type ReactNode, useRef, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { userOfPath, useQueryParams } from '../../api/address';
import { UserPage } from './user-page';
import { Anchor, Autocomplete, Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ListedUserResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { applicationUrl, useAppId } from '../../api/client';
import { countColumn, momentColumn, nameColumn, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconDownload, IconSearch, IconUsers } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { SEARCH_PAUSE_MS } from '../../components/name-search';
import { Typed } from '../../components/typed';
import { MOST_OFFERED } from '../segments/builder/field-picker';
import { useKnownFields } from '../segments/builder/known-fields';
import classes from './users.module.css';

/** Users: found by the beginnings of their ids, and one of them with all that is known about them. */
export function UsersPage(): ReactNode {
  return (
    <Switch>
      <Route path="/users/*">
        <AddressedUser />
      </Route>
      <Route>
        <UserList />
      </Route>
    </Switch>
  );
}

/** The user of the present address, which is read unchanged: the router decodes it more than once. */
function AddressedUser(): ReactNode {
  const userId = userOfPath(window.location.pathname);
  return userId === null ? <UserList /> : <UserPage key={userId} userId={userId} />;
}

const FEW_TAGS = 4;

const COLUMNS: readonly Column<ListedUserResponse>[] = [
  nameColumn('User', ({ userId }) => userId, { width: 'minmax(0, 1.4fr)' }),
  {
    key: 'tags',
    header: 'Tags',
    width: 'minmax(0, 1.6fr)',
    render: (user) => <Tags user={user} />,
  },
  countColumn('Devices', ({ devices }) => devices),
  momentColumn('First seen', ({ createdAt }) => createdAt, { width: '9rem', isHiddenOnPhone: true }),
];

/** Users by the beginnings of their ids. */
export function UserList(): ReactNode {
  const [params, setParams] = useQueryParams();
  const prefix = params.get('prefix') ?? '';
  const [settled] = useDebouncedValue(prefix, SEARCH_PAUSE_MS);
  const [attribute, value] = [params.get('attribute') ?? '', params.get('value') ?? ''];
  const isAsked = attribute !== '' && value !== '';
  const query = { prefix: settled.trim(), ...(isAsked ? { attribute, value } : {}) };
  const list = useCursorList('/api/users', 'users', { params: { query } });
  const appId = useAppId();
  const setPrefix = (typed: string): void =>
    setParams({ ...(isAsked ? { attribute, value } : {}), ...(typed === '' ? {} : { prefix: typed }) });
  return (
    <ListPage
      title="Users and devices"
      description="The users of the app, with their devices, tags and attributes."
      label="Users"
      actions={
        <Button
          component="a"
          href={applicationUrl(appId, '/api/users', { query: { ...query, format: 'csv' } })}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Export as CSV
        </Button>
      }
      search={
        <>
          <Search prefix={prefix} onChange={setPrefix} />
          <AttributeSearch
            asked={{ attribute, value }}
            onAsk={(asked) => setParams({ ...(prefix === '' ? {} : { prefix }), ...asked })}
          />
        </>
      }
      columns={COLUMNS}
      list={list}
      rowKey={({ userId }) => userId}
      rowHref={({ userId }) => `/users/${encodeURIComponent(userId)}`}
      empty={isAsked ? <NobodyHas attribute={attribute} /> : settled.trim() === '' ? <NobodyYet /> : <NobodyFound />}
    />
  );
}

function Search({ prefix, onChange }: { prefix: string; onChange: (prefix: string) => void }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <form
      role="search"
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        if (prefix.trim() !== '') navigate(`/users/${encodeURIComponent(prefix.trim())}`);
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label="User id"
          placeholder="The user id, or its beginning"
          leftSection={<IconSearch size={16} aria-hidden />}
          className={classes.grow}
          value={prefix}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={prefix.trim() === ''}>
          Open this user
        </Button>
      </Group>
    </form>
  );
}

/** Finds users by what an attribute of them is. */
function AttributeSearch(props: {
  asked: { attribute: string; value: string };
  onAsk: (asked: Record<string, string>) => void;
}): ReactNode {
  const { asked, onAsk } = props;
  const [{ attribute, value }, setWritten] = useState(asked);
  // Another search in the address is written into the fields. They keep the focus.
  const [shown, setShown] = useState(asked);
  if (shown.attribute !== asked.attribute || shown.value !== asked.value) {
    setShown(asked);
    setWritten(asked);
  }
  const field = useRef<HTMLInputElement>(null);
  // What users have is read by somebody who begins to search.
  const [isBegun, setBegun] = useState(false);
  const known = useKnownFields(isBegun);
  const name = attribute.trim();
  const isTag = known.tags.includes(name) && !known.attributes.includes(name);
  return (
    <form
      role="search"
      aria-label="By attribute"
      className={classes.search}
      onFocus={() => setBegun(true)}
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '' && value !== '') onAsk({ attribute: name, value });
      }}
    >
      <Group gap="xs" align="flex-end">
        <Autocomplete
          ref={field}
          label="Attribute"
          placeholder="city"
          dir="auto"
          className={classes.grow}
          data={known.attributes}
          limit={MOST_OFFERED}
          value={attribute}
          onChange={(typed) => setWritten({ attribute: typed, value })}
        />
        <Autocomplete
          label="Value"
          placeholder="As text, exactly"
          dir="auto"
          className={classes.grow}
          data={known.valuesOf(name, 'text')}
          limit={MOST_OFFERED}
          value={value}
          onChange={(typed) => setWritten({ attribute, value: typed })}
        />
        <Button type="submit" variant="default" disabled={name === '' || value === ''}>
          Find users
        </Button>
        {asked.attribute !== '' && (
          <Button
            variant="subtle"
            onClick={() => {
              field.current?.focus();
              onAsk({});
            }}
          >
            Show all
          </Button>
        )}
      </Group>
      {isTag && asked.attribute !== name && (
        <Text size="sm" mt={6} role="status">
          <SaysTag name={name} />
        </Text>
      )}
    </form>
  );
}

/** A tag is no attribute, though it has a name and may have a value too. */
function SaysTag({ name }: { name: string }): ReactNode {
  return (
    <>
      “<Typed text={name} />” is a tag. This search looks at attributes only. A{' '}
      <Anchor component={Link} href="/segments/new" inherit>
        segment
      </Anchor>{' '}
      finds users by a tag and its value.
    </>
  );
}

function NobodyHas({ attribute }: { attribute: string }): ReactNode {
  const known = useKnownFields(true);
  if (known.tags.includes(attribute) && !known.attributes.includes(attribute)) {
    return (
      <EmptyState icon={IconSearch} title="This is a tag, not an attribute">
        <SaysTag name={attribute} />
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconSearch} title="No user has this attribute">
      The value is compared as text: upper and lower case matter. Tags and the attributes of a device alone are not
      looked at: a segment finds users by these.
    </EmptyState>
  );
}

function NobodyYet(): ReactNode {
  return (
    <EmptyState icon={IconUsers} title="No user yet">
      Users appear when your app registers its first device: <code>POST /api/installations</code>. The API reference
      shows how.
    </EmptyState>
  );
}

function NobodyFound(): ReactNode {
  return (
    <EmptyState icon={IconSearch} title="No user id begins with this text">
      Upper and lower case matter. Try a shorter text.
    </EmptyState>
  );
}

function Tags({ user: { tags, tagValues } }: { user: ListedUserResponse }): ReactNode {
  if (tags.length === 0) return null;
  return (
    <Group gap={4}>
      {tags.slice(0, FEW_TAGS).map((tag) => (
        <Badge key={tag} variant="light" color="gray" tt="none" maw="9rem">
          <Typed text={Object.hasOwn(tagValues, tag) ? `${tag} = ${tagValues[tag] ?? ''}` : tag} lines={1} />
        </Badge>
      ))}
      {tags.length > FEW_TAGS && (
        <Text size="xs" c="dimmed" component="span">
          {formatCount(tags.length - FEW_TAGS)} more
        </Text>
      )}
    </Group>
  );
}
