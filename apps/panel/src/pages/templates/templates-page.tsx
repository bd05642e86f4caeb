import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, Route, Switch } from 'wouter';
import type { TemplateSummaryResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { type Column, momentColumn, nameColumn } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconTemplate } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { useNameSearch } from '../../components/name-search';
import { Typed } from '../../components/typed';
import { NewTemplate, SavedTemplate } from './template-page';

/** Templates: the list, a new one, and one of them. */
export function TemplatesPage(): ReactNode {
  return (
    <Switch>
      <Route path="/templates/new">
        <NewTemplate />
      </Route>
      <Route path="/templates/:id">{({ id }) => <SavedTemplate key={id} id={id} />}</Route>
      <Route>
        <TemplateList />
      </Route>
    </Switch>
  );
}

const COLUMNS: readonly Column<TemplateSummaryResponse>[] = [
  nameColumn('Name', ({ name }) => name),
  {
    key: 'description',
    header: 'For',
    width: 'minmax(0, 2fr)',
    isHiddenOnPhone: true,
    render: ({ description }) => (
      <Text size="sm" c="dimmed" component="span">
        <Typed text={description ?? ''} lines={2} />
      </Text>
    ),
  },
  { key: 'version', header: 'Version', width: '6rem', align: 'end', isNamedOnPhone: true, render: (t) => t.version },
  momentColumn('Changed', ({ updatedAt }) => updatedAt, { width: '9rem' }),
];

/** All templates, newest first. */
function TemplateList(): ReactNode {
  const search = useNameSearch();
  const list = useCursorList('/api/templates', 'templates', { params: { query: search } });
  const maySave = useCan('send');
  const create = maySave && (
    <Button component={Link} href="/templates/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New template
    </Button>
  );
  return (
    <ListPage
      title="Templates"
      description="Texts of messages, in versions. Begin a message with one, or send with it through the API."
      create={create}
      names={{ ...search, noun: 'template' }}
      columns={COLUMNS}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/templates/${id}`}
      empty={
        <EmptyState icon={IconTemplate} title="No template is saved yet" action={create}>
          Save texts that you send again and again, with variables for the parts that differ.
        </EmptyState>
      }
    />
  );
}
