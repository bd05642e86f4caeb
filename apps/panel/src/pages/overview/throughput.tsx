import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import type { ReactNode } from 'react';
import type { OverviewResponse } from '@postrider/server/document';
import { ChartFigure, chartName } from '../../components/chart-figure';
import { formatCompact, formatNoun } from '../../components/format';
import { LOCALE } from '../../model/locale';

const TIME = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** The number of devices that are sent to per second, over the last minutes. */
export function Throughput({ throughput }: Pick<OverviewResponse, 'throughput'>): ReactNode {
  const { spanSeconds, points } = throughput;
  const data = points.map(({ at, devices }) => ({
    time: TIME.format(new Date(at)),
    'devices per second': Math.round((devices / spanSeconds) * 10) / 10,
  }));
  const sum = points.reduce((all, { devices }) => all + devices, 0);
  const words = `${formatNoun(sum, 'device')} in the last ${Math.round((points.length * spanSeconds) / 60)} minutes`;
  return (
    <ChartFigure words={words}>
      <AreaChart
        h={200}
        data={data}
        dataKey="time"
        series={[{ name: 'devices per second', color: 'pine.5' }]}
        curveType="monotone"
        withDots={false}
        withGradient
        gridAxis="x"
        tickLine="none"
        yAxisProps={{ width: 44, allowDecimals: false, tickFormatter: formatCompact }}
        xAxisProps={{ interval: 11 }}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={chartName(words)}
      />
    </ChartFigure>
  );
}
