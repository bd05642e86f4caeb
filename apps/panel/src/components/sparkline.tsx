import type { ReactNode } from 'react';
import classes from './sparkline.module.css';

const WIDTH = 100;
const HEIGHT = 24;

/**
 * A line of values without axes, as wide as the space.
 * @param values at equal distances, oldest first
 * @param words the same for people who do not see it
 */
export function Sparkline({ values, words }: { values: readonly number[]; words: string }): ReactNode {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (place: number): number => (place / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number): number =>
    most === least ? HEIGHT / 2 : HEIGHT - ((value - least) / (most - least)) * HEIGHT;
  const points = values.map((value, place) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`);
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
