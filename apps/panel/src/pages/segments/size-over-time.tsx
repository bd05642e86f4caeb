import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@postrider/domain';
import type { SegmentResponse, SegmentSizesResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { gatewayNow } from '../../api/gateway-clock';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatMoment, formatNoun } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { Stat, Stats } from '../../components/stat';

const SizeChart = lazy(() => import('./size-chart').then(({ SizeChart: Chart }) => ({ default: Chart })));

const SPANS = {
  day: { label: '24 hours', days: 1 },
  twoWeeks: { label: '14 days', days: 14 },
  year: { label: 'A year', days: 366 },
} as const;

type Span = keyof typeof SPANS;

const HEIGHT = 220;
/** A segment that was just saved is measured within seconds; after that every hour is soon enough to look. */
const POLL_MS = { first: 3 * SECOND_MS, later: MINUTE_MS };

/** The number of devices in a saved segment, as measured from time to time. */
export function SizeOverTime({ segment }: { segment: SegmentResponse }): ReactNode {
  const [span, setSpan] = useState<Span>('twoWeeks');
  const { days } = SPANS[span];
  const from = useMemo(
    () => new Date((Math.floor(gatewayNow() / HOUR_MS) - days * 24) * HOUR_MS).toISOString(),
    [days],
  );
  const found = useRead('/api/segments/{id}/sizes', {
    params: { path: { id: segment.id }, query: { from } },
    pollMs: (data) => (isMeasured(data, segment.updatedAt) ? POLL_MS.later : POLL_MS.first),
    keepPrevious: true,
  });
  return (
    <SectionCard
      title="Size over time"
      description="Measured when the segment is saved, and about every hour after that."
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
        <ErrorNotice error={found.error} title="The sizes could not be read" onRetry={() => found.refetch()} />
      )}
      {found.isPending && <Skeleton height={HEIGHT} role="status" aria-label="Reading the sizes" />}
      {found.data && <Shown sizes={found.data.sizes} updatedAt={segment.updatedAt} />}
    </SectionCard>
  );
}

type Sizes = SegmentSizesResponse['sizes'];

function Shown({ sizes, updatedAt }: { sizes: Sizes; updatedAt: string }): ReactNode {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last) {
    return (
      <Text size="sm" c="dimmed" role="status">
        There is no measurement in this time span yet. The first one is made within a minute after the segment was
        saved, and later ones every hour.
      </Text>
    );
  }
  return (
    <Stack gap="lg">
      <Stats>
        <Stat label="Devices" value={formatCount(last.devices)} hint={sayChange(first, last)} />
        <Stat label="Can be reached" value={formatCount(last.reachable)} />
        <Stat label="Users" value={last.users === null ? '–' : formatCount(last.users)} />
      </Stats>
      {sizes.length === 1 ? (
        <Text size="sm" c="dimmed">
          Measured once, {formatMoment(last.at)}. The chart appears after the next measurement.
        </Text>
      ) : (
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <SizeChart sizes={sizes} updatedAt={updatedAt} height={HEIGHT} words={saySizes(sizes)} />
        </Suspense>
      )}
    </Stack>
  );
}

function isMeasured(data: SegmentSizesResponse | undefined, updatedAt: string): boolean {
  const last = data?.sizes.at(-1);
  return last !== undefined && last.at >= updatedAt;
}

type Size = SegmentSizesResponse['sizes'][number];

/** `12 more than 3 Nov 2025, 10:00`. */
export function sayChange(first: Size, last: Size): string {
  const more = last.devices - first.devices;
  if (first.at === last.at) return 'all that match';
  if (more === 0) return `as many as ${formatMoment(first.at)}`;
  return `${formatCount(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than ${formatMoment(first.at)}`;
}

/** Describes a curve of sizes for people who do not see it: its ends, its least and its most. */
export function saySizes(sizes: readonly Size[]): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last) return 'Nothing was measured';
  const ends = `From ${formatNoun(first.devices, 'device')} on ${formatMoment(first.at)} to ${formatCount(last.devices)} on ${formatMoment(last.at)}`;
  const devices = sizes.map((size) => size.devices);
  return `${ends}; at least ${formatCount(Math.min(...devices))}, at most ${formatCount(Math.max(...devices))}`;
}
