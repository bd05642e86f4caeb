import { median } from './bench-row';

/** What a row measures in turns: each gives the figure of one round, which begins at 1. */
export interface Turns {
  yardstick: (round: number) => Promise<number>;
  ours: (round: number) => Promise<number>;
}

/**
 * Measures the yardstick and ours in turns, so that both meet the same machine.
 *
 * @returns the median of each, in `unit`
 */
export async function measureInTurns(
  { rounds, unit, progress }: { rounds: number; unit: string; progress: (line: string) => void },
  turns: Turns,
): Promise<{ ours: number; yardstick: number }> {
  const measured = { ours: [] as number[], yardstick: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    const yardstick = await turns.yardstick(round);
    const ours = await turns.ours(round);
    measured.yardstick.push(yardstick);
    measured.ours.push(ours);
    progress(`round ${round}: ${ours.toFixed(0)} beside ${yardstick.toFixed(0)} ${unit}`);
  }
  return { ours: median(measured.ours), yardstick: median(measured.yardstick) };
}
