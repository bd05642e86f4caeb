import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { StatsResponse } from '@postrider/server/document';
import { chartName } from '../../components/chart-figure';
import { formatCompact, formatCountedTime } from '../../components/format';
import { fillGaps } from '../../model/fill-series';

const NOTHING = {
  delivered: 0,
  shown: 0,
  opened: 0,
  dismissed: 0,
  actions: 0,
  links: 0,
  clicks: 0,
  clicked: 0,
  conversions: 0,
};

/** Delivered, shown and opened over time. */
export function EngagementChart({ series, interval }: Pick<StatsResponse, 'series' | 'interval'>): ReactNode {
  const data = fillGaps(series, interval, NOTHING).map(({ at, delivered, shown, opened }) => ({
    at: formatCountedTime(at, interval),
    delivered,
    shown,
    opened,
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
