import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import { DAY_MS } from '@postrider/domain';
import type { SegmentSizesResponse } from '@postrider/server/document';
import { ChartFigure, chartName } from '../../components/chart-figure';
import { formatCompact, formatCount, formatMoment } from '../../components/format';
import { LOCALE } from '../../model/locale';

const DAY = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const DAY_AND_HOUR = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const HOUR = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** A segment's devices over time, and those of them that can be reached; a line where its rules were changed last. */
export function SizeChart(props: {
  sizes: SegmentSizesResponse['sizes'];
  updatedAt: string;
  height: number;
  words: string;
}): ReactNode {
  const { sizes, updatedAt, height, words } = props;
  const data = sizes.map(({ at, devices, reachable }) => ({
    at: Date.parse(at),
    Devices: devices,
    'Can be reached': reachable,
  }));
  const [first = 0, last = 0] = [data[0]?.at, data.at(-1)?.at];
  const changedAt = Date.parse(updatedAt);
  const days = (last - first) / DAY_MS;
  const ticks = days > 5 ? DAY : days > 1 ? DAY_AND_HOUR : HOUR;
  const midnights = ticks === DAY ? midnightsBetween(first, last) : undefined;
  const sayTick = (at: number): string => (Number.isFinite(at) ? ticks.format(at) : '');
  return (
    <ChartFigure words={words}>
      <LineChart
        h={height}
        data={data}
        dataKey="at"
        series={[
          { name: 'Devices', color: 'pine.5' },
          { name: 'Can be reached', color: 'sky.5' },
        ]}
        referenceLines={
          changedAt > first && changedAt < last
            ? [
                {
                  x: changedAt,
                  label: 'changed',
                  labelPosition: labelPositionAt(changedAt, first, last),
                  color: 'amber.5',
                },
              ]
            : []
        }
        curveType="monotone"
        withLegend
        withDots={data.length < 30}
        gridAxis="x"
        tickLine="none"
        valueFormatter={formatCount}
        // Measurements are a day apart, then an hour: what lies between them is as wide as it lasted.
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          ticks: midnights,
          tickFormatter: sayTick,
        }}
        yAxisProps={{ width: 52, allowDecimals: false, tickFormatter: formatCompact }}
        tooltipProps={{ labelFormatter: (at) => sayMoment(at) }}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={chartName(words)}
      />
    </ChartFigure>
  );
}

/** Returns the beginnings of the days between two moments in the reader's time zone: a tick that names a day stands at it, and only once. */
export function midnightsBetween(first: number, last: number): number[] {
  const midnights: number[] = [];
  const begin = new Date(first);
  for (let days = 0; ; days++) {
    // Each day anew: where clocks skip midnight, a day begins at one.
    const day = new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + days).getTime();
    if (day > last) return midnights;
    if (day >= first) midnights.push(day);
  }
}

/** Returns the side on which the label of a line has room. */
export function labelPositionAt(at: number, first: number, last: number): 'insideBottomLeft' | 'insideBottomRight' {
  return at - first > last - at ? 'insideBottomRight' : 'insideBottomLeft';
}

/** While it points at nothing, the tooltip asks about no moment at all. */
function sayMoment(at: unknown): string {
  return typeof at === 'number' && Number.isFinite(at) ? formatMoment(new Date(at)) : '';
}
