import { parseArgs } from 'node:util';

export const HELP = `npm run drill [-- --minutes <n>] [--seed <n>] [--only <part of a fault's name>] [--single] [--devices <n>] [--keep]

Starts two of every process of Postrider on this machine (--single: one), sends messages, and breaks things, one at a time, as the
seed says. Then waits until no work is left, and counts at the simulated vendor; of what is missing it says what PostgreSQL
knows. --keep leaves the logs where they are.`;

const OPTIONS = {
  minutes: { type: 'string', default: '2' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string' },
  devices: { type: 'string', default: '400' },
  single: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** What a drill is asked for. */
export interface DrillWords {
  minutes: number;
  seed: number;
  devices: number;
  /** A part of the names of the faults. */
  only?: string;
  single: boolean;
  keep: boolean;
}

/**
 * Reads the words of `npm run drill`.
 *
 * @throws Error that says what is wrong with them, and what they may be
 */
export function readWords(args: string[]): DrillWords | 'help' {
  try {
    const { help, minutes, seed, devices, ...others } = parseArgs({ args, options: OPTIONS }).values;
    if (help) return 'help';
    return {
      ...others,
      minutes: positive('minutes', minutes),
      seed: positive('seed', seed),
      devices: positive('devices', devices),
    };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${HELP}`, { cause: error });
  }
}

/** @throws Error unless it is a number above 0: a drill of no time and no devices would find nothing wrong */
function positive(name: string, value: string): number {
  const number = Number(value);
  if (number > 0) return number;
  throw new Error(`--${name} takes a number above 0, not ${value}.`);
}
