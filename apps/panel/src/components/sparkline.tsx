import type { ReactNode } from 'react';
import classes from './sparkline.module.css';

const WIDTH = 100;
const HEIGHT = 24;

/**
 * A line of values without axes, as wide as there is room. A null is a gap: nothing is known there.
 *
 * @param values at equal distances, oldest first
 * @param words the same for somebody who does not see it
 */
export function Sparkline({ values, words }: { values: readonly (number | null)[]; words: string }): ReactNode {
  const known = values.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (place: number): number => (place / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number): number =>
    most === least ? HEIGHT / 2 : HEIGHT - ((value - least) / (most - least)) * HEIGHT;
  const lines = values.flatMap((value, place) => {
    if (value === null) return [];
    const isFirst = place === 0 || values[place - 1] === null;
    return `${isFirst ? 'M' : 'L'}${x(place).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <path d={lines.join('')} />
    </svg>
  );
}
