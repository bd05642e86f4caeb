import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { StatsResponse } from '@postrider/server/document';
import { formatCompact } from '../../components/format';

const HOUR = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** Delivered, shown and opened over time. */
export function EngagementChart({ series, interval }: Pick<StatsResponse, 'series' | 'interval'>): ReactNode {
  const format = interval === 'hour' ? HOUR : DAY;
  const data = series.map(({ at, delivered, shown, opened }) => ({
    at: format.format(new Date(at)),
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
    />
  );
}
