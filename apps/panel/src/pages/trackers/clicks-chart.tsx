import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { ReactNode } from 'react';
import type { TrackerStatsResponse } from '@postrider/server/document';
import { chartName } from '../../components/chart-figure';
import { formatCount, formatCountedTime } from '../../components/format';
import { fillSeries } from '../../model/fill-series';

const NOTHING = { clicks: 0, visitors: 0, installs: 0, opened: 0, declined: 0 };

/** Clicks and visitors over time. */
export function ClicksChart(props: { stats: TrackerStatsResponse }): ReactNode {
  const { interval } = props.stats;
  const series = fillSeries(props.stats, NOTHING);
  const data = series.map(({ at, clicks, visitors }) => ({ at: formatCountedTime(at, interval), clicks, visitors }));
  const most = Math.max(...series.map(({ clicks }) => clicks));
  const words = `Clicks over time; at most ${formatCount(most)} in one ${interval}`;
  return (
    <figure style={{ margin: 0 }} aria-label={words}>
      <AreaChart
        h={220}
        data={data}
        dataKey="at"
        curveType="monotone"
        withDots={data.length < 40}
        withLegend
        yAxisProps={{ allowDecimals: false }}
        valueFormatter={formatCount}
        series={[
          { name: 'clicks', label: 'Clicks', color: 'pine.5' },
          { name: 'visitors', label: 'Visitors', color: 'sky.5' },
        ]}
        areaChartProps={chartName(words)}
      />
    </figure>
  );
}
