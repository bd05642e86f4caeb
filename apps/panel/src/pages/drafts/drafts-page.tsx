import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { keyOf, useApi, useAppId, deletionOf } from '../../api/client';
import type { DraftSummaryResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useSave } from '../../api/use-save';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { type Column, momentColumn, nameColumn } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconCopy, IconPencil, IconPlus, IconTrash } from '../../components/icons';
import { ListPage } from '../../components/list-page';
import { useNameSearch } from '../../components/name-search';
import { Typed } from '../../components/typed';

/** The messages that are being written, the last saved first. */
export function DraftsPage(): ReactNode {
  const api = useApi();
  const appId = useAppId();
  const search = useNameSearch();
  const list = useCursorList('/api/drafts', 'drafts', { params: { query: search } });
  const [removed, setRemoved] = useState<DraftSummaryResponse | null>(null);
  const changes = [keyOf(appId, '/api/drafts')];
  const copying = useSave<string>({
    save: (id) => api.POST('/api/drafts/{id}/duplicate', { params: { path: { id } }, body: {} }),
    said: 'The draft was duplicated.',
    changes,
  });
  const create = (
    <Button component={Link} href="/compose?new=1" leftSection={<IconPlus size={16} aria-hidden />}>
      New message
    </Button>
  );
  return (
    <ListPage
      title="Drafts"
      description="Messages that are not sent yet. Everyone who may send can open them."
      create={create}
      names={{ ...search, noun: 'draft' }}
      columns={[...COLUMNS, actionsColumn((draft) => copying.mutate(draft.id), setRemoved)]}
      list={list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/compose?draft=${id}`}
      search={<ErrorNotice error={copying.error} title="The draft was not duplicated" />}
      empty={
        <EmptyState icon={IconPencil} title="There is no draft" action={create}>
          A message is kept here while you write it, until you send it.
        </EmptyState>
      }
    >
      <ConfirmDialog
        isOpen={removed !== null}
        title="Delete this draft?"
        confirmLabel="Delete it"
        onConfirm={async () => {
          await deletionOf(api.DELETE('/api/drafts/{id}', { params: { path: { id: removed?.id ?? '' } } }));
          void list.refresh();
        }}
        onClose={() => setRemoved(null)}
      >
        <Typed text={removed?.name ?? ''} /> is deleted for everybody.
      </ConfirmDialog>
    </ListPage>
  );
}

const COLUMNS: readonly Column<DraftSummaryResponse>[] = [
  nameColumn('Name', ({ name }) => name, { width: 'minmax(0, 2fr)' }),
  {
    key: 'by',
    header: 'Saved by',
    width: 'minmax(0, 1fr)',
    isHiddenOnPhone: true,
    render: ({ updatedBy }) => (
      <Text size="sm" c="dimmed" component="span">
        <Typed text={updatedBy} />
      </Text>
    ),
  },
  momentColumn('Saved', ({ updatedAt }) => updatedAt, { width: '9rem' }),
];

function actionsColumn(
  copy: (draft: DraftSummaryResponse) => void,
  remove: (draft: DraftSummaryResponse) => void,
): Column<DraftSummaryResponse> {
  const buttons = [
    { label: 'Duplicate', icon: IconCopy, act: copy },
    { label: 'Delete', icon: IconTrash, act: remove },
  ];
  return {
    key: 'actions',
    header: 'Actions',
    width: '5.5rem',
    align: 'end',
    render: (draft) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        {buttons.map(({ label, icon: Icon, act }) => (
          <Tooltip key={label} label={label}>
            <ActionIcon variant="subtle" color="gray" aria-label={`${label}: ${draft.name}`} onClick={() => act(draft)}>
              <Icon size={17} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
    ),
  };
}
