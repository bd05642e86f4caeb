import type { SkipReason } from './delivery-state';
import type { Lane, MessageContent } from './message';

/** The most campaigns that reach a user in any period of this many seconds. */
export interface FrequencyCap {
  messages: number;
  seconds: number;
}

/** The most caps of an application, and the most messages of a cap. */
export const MAX_FREQUENCY_CAPS = 5;
export const MAX_CAPPED_MESSAGES = 100;
/** 30 days: older contacts are not kept. */
export const MAX_CAP_SECONDS = 2_592_000;

/** Why a device got nothing: its user has reached a frequency cap. */
export const FREQUENCY_CAPPED: SkipReason = {
  errorCode: 'frequency_capped',
  reason: 'The user has got as many campaigns as the frequency caps of the application allow',
};

/** How frequency caps treat a message. */
interface CapRole {
  /** True if it counts for its users. */
  isCounted: boolean;
  /** True if users who have reached a cap do not get it. */
  isCapped: boolean;
}

type CapFields = Pick<MessageContent, 'countsTowardsCap' | 'ignoreFrequencyCap' | 'isTest'>;

/** Campaigns count and are capped; messages to named users only if they say so; test messages never. */
export function capRoleOf(lane: Lane, content: CapFields): CapRole {
  const isCounted = !content.isTest && (lane === 'campaign' || content.countsTowardsCap === true);
  return { isCounted, isCapped: isCounted && content.ignoreFrequencyCap !== true };
}
