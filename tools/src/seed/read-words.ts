import { parseArgs } from 'node:util';

export const USAGE = 'Usage: npm run seed -- --app <id> --devices <n>   (with npm start running, or DATABASE_URL set)';

const OPTIONS = {
  app: { type: 'string', default: 'demo' },
  devices: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the words of `npm run seed`.
 *
 * @throws Error that says what is wrong with them, and what they may be
 */
export function readWords(args: string[]): { appId: string; devices: number } | 'help' {
  const { app: appId, devices: text, help } = parse(args);
  if (help) return 'help';
  const devices = Number(text);
  if (!Number.isInteger(devices) || devices < 1) throw new Error(USAGE);
  return { appId, devices };
}

function parse(args: string[]): { app: string; devices?: string; help: boolean } {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}
