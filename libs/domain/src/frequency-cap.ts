import type { SkipReason } from './delivery-state';
import type { Lane, MessageContent } from './message';

/** At most so many campaigns reach a user in any stretch of so many seconds. */
export interface FrequencyCap {
  messages: number;
  seconds: number;
}

/** How many caps an application has at most, and what one allows at most. */
export const MAX_FREQUENCY_CAPS = 5;
export const MAX_CAPPED_MESSAGES = 100;
/** 30 days: what was sent before that is not kept. */
export const MAX_CAP_SECONDS = 2_592_000;

/** Why a device got nothing whose user has had as many campaigns as the application allows. */
export const FREQUENCY_CAPPED: SkipReason = {
  errorCode: 'frequency_capped',
  reason: 'The user has got as many campaigns as the frequency caps of the application allow',
};

/** How a message stands to the frequency caps of its application. */
export interface CapRole {
  /** True if it counts for the users that it is sent to. */
  isCounted: boolean;
  /** True if users who have had enough do not get it. */
  isCapped: boolean;
}

type CapFields = Pick<MessageContent, 'countsTowardsCap' | 'ignoreFrequencyCap' | 'isTest'>;

/** Campaigns count and are capped; messages to named users only when they say so; test messages never. */
export function capRoleOf(lane: Lane, content: CapFields): CapRole {
  const isCounted = !content.isTest && (lane === 'campaign' || content.countsTowardsCap === true);
  return { isCounted, isCapped: isCounted && content.ignoreFrequencyCap !== true };
}
