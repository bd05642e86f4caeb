/** One point of a series over time. */
type Point = { at: string };

const STEP_MS = { hour: 3_600_000, day: 86_400_000 };

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

function startOf(moment: number, step: number): number {
  return Math.floor(moment / step) * step;
}
