import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ListedUserResponse } from '../../api/generated/document';
import { useCursorList } from '../../api/reading';
import { useWords } from '../../api/use-words';
import { countColumn, momentColumn, nameColumn } from '../../components/columns';
import type { Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { formatCount } from '../../components/format';
import { IconSearch, IconUsers } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { Typed } from '../../components/typed';
import classes from './users.module.css';

const FEW_TAGS = 4;

const COLUMNS: readonly Column<ListedUserResponse>[] = [
  nameColumn('User', ({ userId }) => userId, { width: 'minmax(0, 1.4fr)' }),
  {
    key: 'tags',
    header: 'Tags',
    width: 'minmax(0, 1.6fr)',
    render: ({ tags }) => <Tags tags={tags} />,
  },
  countColumn('Devices', ({ devices }) => devices),
  momentColumn('Known since', ({ createdAt }) => createdAt, { width: '9rem', isHiddenOnPhone: true }),
];

/** Users by the beginnings of their ids. */
export function UserList(): ReactNode {
  const [words, setWords] = useWords();
  const prefix = words.get('prefix') ?? '';
  const [settled] = useDebouncedValue(prefix, 250);
  const list = useCursorList('/api/users', 'users', { params: { query: { prefix: settled.trim() } } });
  return (
    <ListPage
      title="Users and devices"
      description="Who uses the app, on which devices, and what is known about them."
      label="Users"
      search={<Search prefix={prefix} onChange={(typed) => setWords(typed === '' ? {} : { prefix: typed })} />}
      columns={COLUMNS}
      list={list}
      rowKey={({ userId }) => userId}
      rowHref={({ userId }) => `/users/${encodeURIComponent(userId)}`}
      empty={settled.trim() === '' ? <NobodyYet /> : <NobodyFound />}
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
          placeholder="The whole id, or how it begins"
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

function NobodyYet(): ReactNode {
  return (
    <EmptyState icon={IconUsers} title="No user is known yet">
      Users appear when your app registers its first device: <code>POST /api/installations</code>. The API reference
      shows how.
    </EmptyState>
  );
}

function NobodyFound(): ReactNode {
  return (
    <EmptyState icon={IconSearch} title="No user id begins like this">
      Upper and lower case matter. Try fewer letters.
    </EmptyState>
  );
}

function Tags({ tags }: { tags: readonly string[] }): ReactNode {
  if (tags.length === 0) return null;
  return (
    <Group gap={4}>
      {tags.slice(0, FEW_TAGS).map((tag) => (
        <Badge key={tag} variant="light" color="gray" tt="none" maw="9rem">
          <Typed text={tag} lines={1} />
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
