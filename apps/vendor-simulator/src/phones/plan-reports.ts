import { isInShare, shareOf } from '../faults/token-share';
import type { ShownMessage } from './shown-message';

/** What a phone can report about a notification. */
export type ReportKind = 'DELIVERED' | 'SHOWN' | 'OPENED' | 'DISMISSED' | 'ACTION_TAKEN';

/** One report that a phone will make. */
export interface PlannedReport {
  kind: ReportKind;
  /** Since the phone got the message. */
  afterMs: number;
  actionId?: string;
}

/** Phones that are switched off for now, and notifications that people have turned off. */
const OFF_SHARE = 0.06;
/** The share of their notifications that the most interested people open. Others open fewer, some hardly any. */
const MOST_OPENED = 0.5;
const DISMISSED = 0.3;
/** Share of those who open a notification with buttons and press one. */
const WITH_BUTTON = 0.6;
const SECOND = 1_000;
/** A person who reacts does so within a quarter of an hour here, so that people who watch can see it. */
const SLOWEST_REACTION = 15 * 60;

/**
 * Decides what the person with a phone does about a message. The token decides how interested they are, so the same
 * people always open many messages. The rest is chance.
 * @param random returns numbers from 0 to 1
 */
export function planReports(token: string, message: ShownMessage, random: () => number): PlannedReport[] {
  if (isInShare(token, OFF_SHARE)) return [];
  const delivered: PlannedReport = { kind: 'DELIVERED', afterMs: (0.2 + random() * 2.5) * SECOND };
  if (message.silent) return [delivered];
  const shown: PlannedReport = { kind: 'SHOWN', afterMs: delivered.afterMs + (0.2 + random()) * SECOND };
  // A few react after seconds, most after minutes.
  const reactedMs = shown.afterMs + (2 + random() ** 3 * SLOWEST_REACTION) * SECOND;
  const interest = shareOf(token) * MOST_OPENED;
  const chance = random();
  if (chance < interest) return [delivered, shown, ...opening(message, reactedMs, random)];
  if (chance < interest + DISMISSED) return [delivered, shown, { kind: 'DISMISSED', afterMs: reactedMs }];
  return [delivered, shown];
}

function opening({ actions }: ShownMessage, afterMs: number, random: () => number): PlannedReport[] {
  const action = random() < WITH_BUTTON ? actions[Math.floor(random() ** 2 * actions.length)] : undefined;
  return [action ? { kind: 'ACTION_TAKEN', afterMs, actionId: action.id } : { kind: 'OPENED', afterMs }];
}
