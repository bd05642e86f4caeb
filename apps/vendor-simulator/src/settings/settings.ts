import { DAY_SECONDS } from '@postrider/domain';

/** The settings that can be changed while the simulator runs. */
export interface Settings {
  /** How long every vendor takes to answer. */
  latencyMs: number;
  /** Streams that a session may have open at a time, as announced in SETTINGS. */
  maxConcurrentStreams: number;
  /** How long an access token is valid. */
  accessTokenSeconds: number;
  /** Full messages that the inbox keeps; older ones are only counted. */
  inboxSize: number;
  /** Tokens that are counted one by one, per vendor; 0 counts none. */
  countedTokens: number;
}

/** The values that apply unless they are changed. */
export const DEFAULT_SETTINGS: Settings = {
  latencyMs: 0,
  maxConcurrentStreams: 1_000,
  accessTokenSeconds: 3_600,
  inboxSize: 1_000,
  countedTokens: 100_000,
};

const MOST: Settings = {
  latencyMs: 600_000,
  maxConcurrentStreams: 2 ** 31 - 1,
  accessTokenSeconds: DAY_SECONDS,
  inboxSize: 100_000,
  countedTokens: 5_000_000,
};

/**
 * Reads a change of settings as it came over the control port.
 * @returns the named settings, or the problem with them
 */
export function parseSettings(value: unknown): { settings: Partial<Settings> } | { problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'expected an object' };
  const settings: Partial<Settings> = {};
  for (const [name, wanted] of Object.entries(value)) {
    if (!isSetting(name)) return { problem: `${name} is no setting: ${Object.keys(MOST).join(', ')}` };
    if (!Number.isInteger(wanted) || wanted < 0 || wanted > MOST[name]) {
      return { problem: `${name} must be a whole number from 0 to ${MOST[name]}` };
    }
    settings[name] = wanted as number;
  }
  return { settings };
}

function isSetting(name: string): name is keyof Settings {
  return Object.hasOwn(MOST, name);
}
