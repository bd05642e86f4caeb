import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table';
import { NameSearch, NoSuchName } from './name-search';
import { PageHeader } from './page-header';
import { SectionCard } from './section-card';

/** A page that is one list. */
interface ListPageProps<Item> extends Omit<DataTableProps<Item>, 'label'> {
  title: string;
  description: string;
  /** The name of the table, where it is not the page's. */
  label?: string;
  /** The actions that are always possible. */
  actions?: ReactNode;
  /** The button that makes the first item, which `empty` also offers: it is in the header once there are items. */
  create?: ReactNode;
  /** The list is searched: nothing in it does not mean that there is nothing. */
  isNarrowed?: boolean;
  /** The list is searched by a part of its names (`useNameSearch`): the part, and what a thing of the list is called. */
  names?: { name?: string; noun: string };
  /** The fields that filter the list. */
  search?: ReactNode;
  /** Dialogs of the page. */
  children?: ReactNode;
}

/** Shows its heading with the actions, the filters, and the list. */
export function ListPage<Item>(props: ListPageProps<Item>): ReactNode {
  const { title, description, label = title, actions, create, search, empty, children, ...others } = props;
  const { names, isNarrowed = names?.name !== undefined, ...table } = others;
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={actions ?? (table.list.items.length > 0 || isNarrowed ? create : undefined)}
      />
      {search}
      {names && <NameSearch list={table.list} />}
      <SectionCard isFlush>
        <DataTable
          label={label}
          {...table}
          empty={names?.name === undefined ? empty : <NoSuchName noun={names.noun} />}
        />
      </SectionCard>
      {children}
    </>
  );
}
