import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice';
import classes from './settings.module.css';

/** A short list that is read whole. */
interface RowListProps<Item> {
  found: { error: Error | null; refetch: () => Promise<unknown> };
  /** Undefined until they are read. */
  items: readonly Item[] | undefined;
  /** The expected height of the list, in pixels. */
  waitingHeight: number;
  empty?: ReactNode;
  /** A `<li>` with a key. */
  row: (item: Item) => ReactNode;
}

/** Says that the list is being read, could not be read, or is empty; else shows the rows. */
export function RowList<Item>({ found, items, waitingHeight, empty, row }: RowListProps<Item>): ReactNode {
  return (
    <>
      <ErrorNotice error={found.error} onRetry={() => found.refetch()} />
      {items === undefined && !found.error && <Skeleton height={waitingHeight} role="status" aria-label="Reading" />}
      {items?.length === 0 && empty}
      {items !== undefined && items.length > 0 && <ul className={classes.rows}>{items.map(row)}</ul>}
    </>
  );
}
