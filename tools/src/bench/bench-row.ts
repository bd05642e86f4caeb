/** One line of the speed table. */
export interface BenchResult {
  row: string;
  ours: number;
  yardstick: number;
  unit: string;
  /** ours / yardstick. */
  ratio: number;
  /** The target of the ratio, as a comparison: `>= 0.5`. */
  goal: string;
  met: boolean;
  /** Another yardstick of the same run, which has no goal. */
  further?: { about: string; yardstick: number; ratio: number };
}

/** A row of the speed table: measures ours and its yardstick side by side in the same run. */
export interface BenchRow {
  name: string;
  /** The two things that are compared, in words. */
  about: string;
  run(progress: (line: string) => void): Promise<BenchResult>;
}

/** Finishes a row whose ratio should be at least `floor`. */
export function atLeast(floor: number, row: string, unit: string, ours: number, yardstick: number): BenchResult {
  const ratio = ours / yardstick;
  return {
    row,
    ours: Math.round(ours),
    yardstick: Math.round(yardstick),
    unit,
    ratio: round(ratio),
    goal: `>= ${floor}`,
    met: ratio >= floor,
  };
}

/** Finishes a row whose ratio should be at most `ceiling`: times, where less is better. */
export function atMost(ceiling: number, row: string, unit: string, ours: number, yardstick: number): BenchResult {
  const result = atLeast(0, row, unit, ours, yardstick);
  return { ...result, goal: `<= ${ceiling}`, met: ours / yardstick <= ceiling };
}

/** Adds a second yardstick to a row; its goal stays as it is. @param about what the second yardstick is */
export function withFurther(result: BenchResult, about: string, ours: number, yardstick: number): BenchResult {
  return { ...result, further: { about, yardstick: Math.round(yardstick), ratio: round(ours / yardstick) } };
}

/** Returns the median of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
