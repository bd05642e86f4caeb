import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table';
import { PageHeader } from './page-header';
import { SectionCard } from './section-card';

/** A page that is one list. */
export interface ListPageProps<Item> extends Omit<DataTableProps<Item>, 'label'> {
  title: string;
  description: string;
  /** The name of the table, where it is not the page's. */
  label?: string;
  /** What can be done at any time. */
  actions?: ReactNode;
  /** What makes the first item, which `empty` offers as well: it stands in the header once there are items. */
  create?: ReactNode;
  /** What narrows the list down. */
  search?: ReactNode;
  /** Dialogs of the page. */
  children?: ReactNode;
}

/** Its heading with what can be done, what narrows the list down, and the list. */
export function ListPage<Item>(props: ListPageProps<Item>): ReactNode {
  const { title, description, label = title, actions, create, search, children, ...table } = props;
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={actions ?? (table.list.items.length > 0 ? create : undefined)}
      />
      {search}
      <SectionCard isFlush>
        <DataTable label={label} {...table} />
      </SectionCard>
      {children}
    </>
  );
}
