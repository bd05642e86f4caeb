import { Loader, Skeleton, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { CursorList } from '../api/reading';
import classes from './data-table.module.css';
import { ErrorNotice } from './error-notice';
import { formatCount } from './format';
import { Moment } from './moment';
import { Typed } from './typed';

/** A column: its heading, its share of the width (a grid track), and its content. */
export interface Column<Item> {
  key: string;
  header: string;
  /** A grid track: `minmax(0, 2fr)`, `8rem`. */
  width?: string;
  align?: 'start' | 'end';
  /** On a phone the columns are placed under each other; this one is left out, as in any narrow space. */
  isHiddenOnPhone?: boolean;
  /** In a narrow space it is placed below the others, after its heading. */
  isBelowOnPhone?: boolean;
  /** On a phone its heading is placed before it. */
  isNamedOnPhone?: boolean;
  render: (item: Item) => ReactNode;
}

/** A list as a table. */
export interface DataTableProps<Item> {
  label: string;
  columns: readonly Column<Item>[];
  list: CursorList<Item>;
  rowKey: (item: Item) => string;
  /** Returns the target of a row, if it has one; its first column is the link and the whole row is clickable. */
  rowHref?: (item: Item) => string | undefined;
  /** Runs when a row is clicked; its first column is the button. */
  onRow?: (item: Item) => void;
  empty: ReactNode;
}

const ROW_HEIGHT = 58;

/**
 * A list of any length: only the rows in sight are there, and the next part is fetched before its end is reached. On paper all rows that
 * were read are in sight.
 */
export function DataTable<Item>(props: DataTableProps<Item>): ReactNode {
  const { list, empty, label } = props;
  if (list.isLoading) return <Waiting />;
  if (list.error && list.items.length === 0) {
    return (
      <div className={classes.notice}>
        <ErrorNotice error={list.error} title={`${label} could not be read`} onRetry={list.refresh} />
      </div>
    );
  }
  if (list.items.length === 0) return empty;
  return <Rows {...props} />;
}

function Rows<Item>(props: DataTableProps<Item>): ReactNode {
  const { label, columns, list, rowKey } = props;
  const { items, hasMore, isLoadingMore, moreError, loadMore } = list;
  const body = useRef<HTMLDivElement>(null);
  const top = useTopInPage(body);
  const first: unknown = items[0];
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rowKey(items[index] as Item),
    initialMeasurementsCache: heightsOf(first),
  });
  useKeptHeights(first, virtual);
  const inSight = virtual.getVirtualItems();
  const last = inSight.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 12 && hasMore && !isLoadingMore && moreError === null) loadMore();
  }, [last, items.length, hasMore, isLoadingMore, moreError, loadMore]);
  const isPrinting = useIsPrinting();
  const shown = isPrinting ? items.map((item, index) => ({ index, key: rowKey(item), start: top })) : inSight;
  const tracks = { '--tracks': tracksOf(columns), '--few-tracks': tracksOf(columns.filter(isNeeded)) };
  return (
    <div
      role="table"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : items.length + 1}
      className={classes.table}
      style={tracks as CSSProperties}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" className={classes.row}>
          <Headers columns={columns} />
        </div>
      </div>
      <div role="rowgroup" ref={body} className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => (
          <div
            role="row"
            key={key}
            ref={isPrinting ? undefined : virtual.measureElement}
            data-index={index}
            aria-rowindex={index + 2}
            className={`${classes.row ?? ''} ${classes.item ?? ''}`}
            data-opens={opens(items[index] as Item, props) || undefined}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <Cells item={items[index] as Item} {...props} />
          </div>
        ))}
      </div>
      {isPrinting && hasMore && <div className={classes.more}>More rows follow, which were not read.</div>}
      {isLoadingMore && (
        <div className={classes.more}>
          <Loader size="sm" role="progressbar" aria-label="Reading more" />
        </div>
      )}
      {moreError && !isLoadingMore && (
        <div className={classes.notice}>
          <ErrorNotice error={moreError} title="The rest could not be read" onRetry={loadMore} />
        </div>
      )}
    </div>
  );
}

/** The heights of a list's rows when its reader left it, by its first item, which is the same one as long as the list is kept. */
const HEIGHTS = new WeakMap<object, VirtualItem[]>();

/** A row that was never in sight has the usual height. */
function heightsOf(first: unknown): VirtualItem[] {
  return (typeof first === 'object' && first !== null && HEIGHTS.get(first)) || [];
}

/** Keeps the heights of the rows: whoever comes back to a long list finds the rows that they left. */
function useKeptHeights(first: unknown, virtual: Virtualizer<Window, Element>): void {
  useEffect(
    () => () => {
      if (typeof first === 'object' && first !== null) HEIGHTS.set(first, virtual.takeSnapshot());
    },
    [first, virtual],
  );
}

/** Says whether the page is being printed. The browser takes what is there once it has told the page: React may not draw later. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useWindowEvent('beforeprint', () => flushSync(() => setPrinting(true)));
  useWindowEvent('afterprint', () => flushSync(() => setPrinting(false)));
  return isPrinting;
}

/**
 * Returns how far below the beginning of the page an element is. Other parts of the page, which are read later, opened or closed, move
 * it: it is measured whenever the list is drawn, which every scrolling does, and when the page becomes longer or shorter.
 */
function useTopInPage(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const measure = useCallback(() => {
    if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
  }, [element]);
  useLayoutEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [measure]);
  return top;
}

function Headers<Item>({ columns }: { columns: readonly Column<Item>[] }): ReactNode {
  return columns.map(({ key, header, align, ...place }) => (
    <div role="columnheader" key={key} className={classes.header} data-align={align} data-phone={placeOnPhone(place)}>
      {header}
    </div>
  ));
}

/** The widths of columns as the grid takes them. */
function tracksOf<Item>(columns: readonly Column<Item>[]): string {
  return columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
}

function isNeeded<Item>(column: Column<Item>): boolean {
  return placeOnPhone(column) === undefined;
}

function placeOnPhone<Item>({
  isHiddenOnPhone,
  isBelowOnPhone,
}: Pick<Column<Item>, 'isHiddenOnPhone' | 'isBelowOnPhone'>): 'hidden' | 'below' | undefined {
  if (isHiddenOnPhone) return 'hidden';
  return isBelowOnPhone ? 'below' : undefined;
}

function opens<Item>(item: Item, { rowHref, onRow }: DataTableProps<Item>): boolean {
  return rowHref?.(item) !== undefined || onRow !== undefined;
}

function Cells<Item>({ item, columns, rowHref, onRow }: DataTableProps<Item> & { item: Item }): ReactNode {
  return columns.map(({ key, header, align, isNamedOnPhone, render, ...place }, n) => (
    <div
      role="cell"
      key={key}
      className={classes.cell}
      data-align={align}
      data-name={isNamedOnPhone || place.isBelowOnPhone ? header : undefined}
      data-phone={placeOnPhone(place)}
    >
      {n === 0 ? opener(render(item), rowHref?.(item), onRow && (() => onRow(item))) : render(item)}
    </div>
  ));
}

function opener(content: ReactNode, href: string | undefined, onClick: (() => void) | undefined): ReactNode {
  if (href !== undefined) {
    return (
      <Link href={href} className={classes.opener}>
        {content}
      </Link>
    );
  }
  if (onClick === undefined) return content;
  return (
    <button type="button" className={classes.opener} onClick={onClick}>
      {content}
    </button>
  );
}

function Waiting(): ReactNode {
  return (
    <div className={classes.waiting} role="status" aria-label="Reading">
      {Array.from({ length: 6 }, (_, n) => (
        <Skeleton key={n} height={22} radius="sm" />
      ))}
    </div>
  );
}

type Layout<Item> = Partial<Omit<Column<Item>, 'render'>>;

/** The name of a row, in bold: if the list has a link, this column is the link. */
export function nameColumn<Item>(header: string, nameOf: (item: Item) => string, layout?: Layout<Item>): Column<Item> {
  const render = (item: Item): ReactNode => (
    <Text fw={600} size="sm" component="span">
      <Typed text={nameOf(item)} lines={2} />
    </Text>
  );
  return { key: 'name', header, width: 'minmax(0, 1fr)', render, ...layout };
}

/** The time of an event, shown as how long ago it was. */
export function momentColumn<Item>(header: string, at: (item: Item) => string, layout?: Layout<Item>): Column<Item> {
  return { key: 'at', header, width: '8rem', align: 'end', render: (item) => <Moment at={at(item)} />, ...layout };
}

/** A count; on a phone its heading is placed before it. */
export function countColumn<Item>(
  header: string,
  countOf: (item: Item) => number | null,
  layout?: Layout<Item>,
): Column<Item> {
  const render = (item: Item): ReactNode => {
    const count = countOf(item);
    return count === null ? '–' : formatCount(count);
  };
  return { key: header, header, width: '6rem', align: 'end', isNamedOnPhone: true, render, ...layout };
}
