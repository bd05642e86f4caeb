import { DAY_MS, HOUR_MS } from '@postrider/domain';

/** One point of a series over time. */
type Point = { at: string };

const STEP_MS = { hour: HOUR_MS, day: DAY_MS };

/** A series without gaps: where the API names no hour or day, nothing happened in it. At most 1,000 points. */
export function fillSeries<P extends Point>(
  { series, from, to, interval }: { series: readonly P[]; from: string; to: string; interval: 'hour' | 'day' },
  nothing: Omit<P, 'at'>,
): P[] {
  const step = STEP_MS[interval];
  const known = new Map(series.map((point) => [startOf(Date.parse(point.at), step), point]));
  const filled: P[] = [];
  for (let at = startOf(Date.parse(from), step); at < Date.parse(to) && filled.length < 1_000; at += step) {
    filled.push(known.get(at) ?? ({ ...nothing, at: new Date(at).toISOString() } as P));
  }
  return filled;
}

/** A series without gaps between its first point and its last. At most 1,000 points. */
export function fillGaps<P extends Point>(series: readonly P[], interval: 'hour' | 'day', nothing: Omit<P, 'at'>): P[] {
  const [first, last] = [series.at(0), series.at(-1)];
  if (first === undefined || last === undefined) return [];
  const to = new Date(Date.parse(last.at) + STEP_MS[interval]).toISOString();
  return fillSeries({ series, from: first.at, to, interval }, nothing);
}

function startOf(moment: number, step: number): number {
  return Math.floor(moment / step) * step;
}
