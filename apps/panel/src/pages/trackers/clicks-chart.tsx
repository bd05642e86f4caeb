import { AreaChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { ReactNode } from 'react';
import type { TrackerStatsResponse } from '@postrider/server/document';
import { formatCount } from '../../components/format';
import { fillSeries } from '../../model/tracker';

const HOUR = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hour12: false });
const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

const NOTHING = { clicks: 0, visitors: 0, installs: 0, opened: 0, declined: 0 };

/** Clicks and visitors over time. */
export function ClicksChart(props: { stats: TrackerStatsResponse }): ReactNode {
  const { interval } = props.stats;
  const series = fillSeries(props.stats, NOTHING);
  const format = interval === 'hour' ? HOUR : DAY;
  const data = series.map(({ at, clicks, visitors }) => ({ at: format.format(new Date(at)), clicks, visitors }));
  const most = Math.max(...series.map(({ clicks }) => clicks));
  return (
    <div role="img" aria-label={`Clicks over time; at most ${formatCount(most)} in one ${interval}`}>
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
      />
    </div>
  );
}
