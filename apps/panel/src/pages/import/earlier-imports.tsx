import type { ReactNode } from 'react';
import type { ImportSummaryResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { type Column, countColumn, DataTable, momentColumn, nameColumn } from '../../components/data-table';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';

const POLL_MS = 5_000;

const COLUMNS: readonly Column<ImportSummaryResponse>[] = [
  nameColumn('File', ({ name }) => name ?? 'A file without a name', { width: 'minmax(0, 2fr)' }),
  {
    key: 'state',
    header: 'State',
    width: '8rem',
    render: ({ status, reason }) => <StateBadge state={reason === 'cancelled' ? 'cancelled' : status} />,
  },
  countColumn('New devices', ({ created }) => created, { width: '8rem', isNamedOnPhone: true }),
  countColumn('Wrong lines', ({ failed }) => failed, { width: '8rem', isHiddenOnPhone: true }),
  momentColumn('Uploaded', ({ startedAt }) => startedAt, { width: '9rem' }),
];

/** The files that were imported lately, from here or by a program; nothing if there are none. */
export function EarlierImports(): ReactNode {
  const list = useCursorList('/api/installations/import', 'imports', { pollMs: POLL_MS });
  if (list.items.length === 0 && list.error === null) return null;
  return (
    <SectionCard title="Earlier imports" isFlush>
      <DataTable
        label="Earlier imports"
        columns={COLUMNS}
        list={list}
        rowKey={({ jobId }) => jobId}
        rowHref={({ jobId }) => `/import?job=${jobId}`}
        empty={null}
      />
    </SectionCard>
  );
}
