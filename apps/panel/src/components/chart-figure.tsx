import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What a chart's own element is called. Recharts passes it on, and its types do not know it. */
type ChartName = { accessibilityLayer: true };

/**
 * The name of a chart, for its `areaChartProps` or `lineChartProps`. The chart takes the focus of the keyboard, whose
 * arrows go from one point to the next.
 */
export function chartName(words: string): ChartName {
  const name = { accessibilityLayer: true, 'aria-label': words } as const;
  return name;
}

/** A chart, and the words that say what it shows. */
export function ChartFigure({ words, children }: { words: string; children: ReactNode }): ReactNode {
  return (
    <figure style={{ margin: 0 }} aria-label={words}>
      {children}
      <Text component="figcaption" size="xs" c="dimmed">
        {words}
      </Text>
    </figure>
  );
}
