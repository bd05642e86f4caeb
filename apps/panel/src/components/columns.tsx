import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from './data-table';
import { formatCount } from './format';
import { Moment } from './moment';
import { Typed } from './typed';

type Layout<Item> = Partial<Omit<Column<Item>, 'render'>>;

/** What a row is called, in bold: where the list has a link, it is this. */
export function nameColumn<Item>(header: string, nameOf: (item: Item) => string, layout?: Layout<Item>): Column<Item> {
  const render = (item: Item): ReactNode => (
    <Text fw={600} size="sm" component="span">
      <Typed text={nameOf(item)} lines={2} />
    </Text>
  );
  return { key: 'name', header, width: 'minmax(0, 1fr)', render, ...layout };
}

/** When something happened, as how long ago that is. */
export function momentColumn<Item>(header: string, at: (item: Item) => string, layout?: Layout<Item>): Column<Item> {
  return { key: 'at', header, width: '8rem', align: 'end', render: (item) => <Moment at={at(item)} />, ...layout };
}

/** A number of something; its heading stands before it on a phone. */
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
