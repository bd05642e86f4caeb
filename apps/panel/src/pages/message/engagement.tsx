import { Skeleton, Table, Text } from '@mantine/core';
import type { MessageResponse, StatsResponse } from '@postrider/contracts';
import { lazy, type ReactNode, Suspense } from 'react';
import { useRead } from '../../api/reading';
import { formatCount } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { isUnderWay } from './totals';

const EngagementChart = lazy(() =>
  import('./engagement-chart').then(({ EngagementChart: Chart }) => ({ default: Chart })),
);
const MOST_SHOWN = 10;

/** What people did with a message over time, and which of its actions and links they chose. Nothing until somebody did. */
export function Engagement({ message }: { message: MessageResponse }): ReactNode {
  const found = useRead<StatsResponse>(`push/messages/${message.id}/stats`, {
    pollMs: isUnderWay(message) ? 10_000 : 60_000,
  });
  const stats = found.data;
  if (!stats || Object.values(stats.totals).every((count) => count === 0)) return null;
  const { actions, links, revenue, series, interval, more } = stats;
  return (
    <>
      <SectionCard title="What people did" description={`Devices by ${interval}, each counted once.`}>
        <Suspense fallback={<Skeleton height={200} />}>
          <EngagementChart series={series} interval={interval} />
        </Suspense>
      </SectionCard>
      {actions.length > 0 && (
        <Choices
          title="Actions"
          rows={actions.map(({ id, devices }) => ({ name: id, counts: [devices] }))}
          heads={['Devices']}
          unlisted={more.actions}
        />
      )}
      {links.length > 0 && (
        <Choices
          title="Links"
          rows={links.map(({ link, devices, clicks }) => ({ name: link, counts: [devices, clicks] }))}
          heads={['Devices', 'Clicks']}
          unlisted={more.links}
        />
      )}
      {revenue.length > 0 && (
        <Choices
          title="Conversions"
          rows={revenue.map(({ currency, conversions, amount }) => ({
            name: currency ?? 'no currency',
            counts: [conversions, amount],
          }))}
          heads={['Conversions', 'Revenue']}
          unlisted={more.revenue}
        />
      )}
    </>
  );
}

function Choices(props: {
  title: string;
  heads: readonly string[];
  rows: readonly { name: string; counts: readonly number[] }[];
  /** How many there are that the answer did not list. */
  unlisted: number;
}): ReactNode {
  const { title, heads, rows, unlisted } = props;
  const further = Math.max(0, rows.length - MOST_SHOWN) + unlisted;
  return (
    <SectionCard title={title}>
      <Table.ScrollContainer minWidth={260} type="native" tabIndex={0} role="region" aria-label={title}>
        <Table verticalSpacing={7}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Chosen</Table.Th>
              {heads.map((head) => (
                <Table.Th key={head} ta="end">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, MOST_SHOWN).map(({ name, counts }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Typed text={name} isMono lines={2} />
                </Table.Td>
                {counts.map((count, n) => (
                  <Table.Td key={n} ta="end">
                    {formatCount(count)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {further > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          and {formatCount(further)} more
        </Text>
      )}
    </SectionCard>
  );
}
