import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { StatsResponse } from '@postrider/server/document';
import { chartName } from '../../components/chart-figure';
import { formatCompact, formatCountedTime } from '../../components/format';
import { fillGaps } from '../../model/fill-series';

const NOTHING = { delivered: 0, shown: 0, opened: 0 };

/** Delivered, shown and opened over time. */
export function EngagementChart({ series, interval }: Pick<StatsResponse, 'series' | 'interval'>): ReactNode {
  const drawn = series.map(({ at, delivered, shown, opened }) => ({ at, delivered, shown, opened }));
  const data = fillGaps(drawn, interval, NOTHING).map(({ at, ...counts }) => ({
    at: formatCountedTime(at, interval),
    ...counts,
  }));
  return (
    <LineChart
      h={200}
      data={data}
      dataKey="at"
      series={[
        { name: 'delivered', color: 'pine.5' },
        { name: 'shown', color: 'sky.5' },
        { name: 'opened', color: 'amber.5' },
      ]}
      withLegend
      gridAxis="x"
      tickLine="none"
      withDots={data.length < 30}
      yAxisProps={{ width: 44, allowDecimals: false, tickFormatter: formatCompact }}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={chartName(`Devices by ${interval}`)}
    />
  );
}
