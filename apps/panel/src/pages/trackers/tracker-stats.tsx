import { SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { HOUR_MS } from '@postrider/domain';
import type { TrackerStatsResponse, TrackerTotals } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { gatewayNow } from '../../api/gateway-clock';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { Stat, Stats } from '../../components/stat';
import { Typed } from '../../components/typed';

const ClicksChart = lazy(() => import('./clicks-chart').then(({ ClicksChart: Chart }) => ({ default: Chart })));

const SPANS = {
  day: { label: '24 hours', days: 1, interval: 'hour' },
  week: { label: '7 days', days: 7, interval: 'day' },
  month: { label: '30 days', days: 30, interval: 'day' },
} as const;

type Span = keyof typeof SPANS;

const PLATFORM_NAMES: Record<string, string> = { ios: 'iOS', android: 'Android', web: 'Computers', other: 'Others' };

/** How often a tracker's links were followed, over time and by platform. */
export function TrackerStats({ id }: { id: string }): ReactNode {
  const [span, setSpan] = useState<Span>('week');
  const { days, interval } = SPANS[span];
  const from = useMemo(
    () => new Date(Math.floor(gatewayNow() / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS).toISOString(),
    [days],
  );
  const found = useRead('/api/trackers/{id}/stats', {
    params: { path: { id }, query: { from, interval } },
    pollMs: 30_000,
    keepPrevious: true,
  });
  return (
    <SectionCard
      title="Clicks"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Time span"
          data={Object.entries(SPANS).map(([value, { label }]) => ({ value, label }))}
          value={span}
          onChange={(value) => setSpan(value as Span)}
        />
      }
    >
      {found.error && (
        <ErrorNotice error={found.error} title="The clicks could not be read" onRetry={() => found.refetch()} />
      )}
      {found.isPending && <Skeleton height={220} role="status" aria-label="Reading the clicks" />}
      {found.data && <Shown stats={found.data} />}
    </SectionCard>
  );
}

function Shown({ stats }: { stats: TrackerStatsResponse }): ReactNode {
  const { totals, byPlatform } = stats;
  return (
    <Stack gap="lg">
      <Stats>
        <Stat label="Clicks" value={formatCount(totals.clicks)} />
        <Stat label="Visitors" value={formatCount(totals.visitors)} hint="each counted once a day" />
        <Stat label="Installs" value={formatCount(totals.installs)} hint={installHint(totals)} />
      </Stats>
      {totals.clicks === 0 ? (
        <Text size="sm" c="dimmed">
          No clicks in this time span.
        </Text>
      ) : (
        <>
          <Suspense fallback={<Skeleton height={220} />}>
            <ClicksChart stats={stats} />
          </Suspense>
          <Platforms byPlatform={byPlatform} />
        </>
      )}
    </Stack>
  );
}

function installHint({ installs, opened }: TrackerTotals): string | undefined {
  return installs === 0 ? undefined : `${formatCount(opened)} opened the link`;
}

function Platforms({ byPlatform }: { byPlatform: Record<string, TrackerTotals> }): ReactNode {
  const platforms = Object.entries(byPlatform).sort(([, one], [, other]) => other.clicks - one.clicks);
  return (
    <Table.ScrollContainer minWidth={240} type="native" tabIndex={0} role="region" aria-label="Table of platforms">
      <Table aria-label="By platform" horizontalSpacing={4} fz={{ base: 'xs', sm: 'sm' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Platform</Table.Th>
            <Table.Th ta="end">Clicks</Table.Th>
            <Table.Th ta="end">Visitors</Table.Th>
            <Table.Th ta="end">Installs</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {platforms.map(([platform, { clicks, visitors, installs }]) => (
            <Table.Tr key={platform}>
              <Table.Td>{PLATFORM_NAMES[platform] ?? <Typed text={platform} />}</Table.Td>
              <Table.Td ta="end">{formatCount(clicks)}</Table.Td>
              <Table.Td ta="end">{formatCount(visitors)}</Table.Td>
              <Table.Td ta="end">{formatCount(installs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
