import { HOUR_MS, MINUTE_MS, type RetryPolicy, SECOND_MS, withJitter } from '@postrider/domain';
import type { WebhookPenalty, WebhookResult } from '@postrider/persistence';
import { retryAfterMs, type WebhookAnswer } from '@postrider/vendors';

/** The pauses between attempts: about a day in all. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  9 * HOUR_MS,
];

/** Up to this share of a pause is added at random, so that events that failed together are not tried again together. */
const JITTER = 0.25;

const GONE = 410;
const TOO_MANY = 429;
const UNAVAILABLE = 503;

/** An attempt that was just made. */
interface AttemptedEvent {
  /** The first is 1. */
  tries: number;
  deadlineAt: Date;
}

/** The step that an attempt leads to. */
export type WebhookStep = Pick<WebhookResult, 'state' | 'statusCode' | 'error' | 'wakeAt'> & {
  penalty: WebhookPenalty;
};

/**
 * Decides what comes after one attempt to send an event. Pure. Any 2xx accepts the event; after any other answer it is
 * tried again until the pauses are used up or the next one would end past the deadline. A redirect is a refusal:
 * redirects are not followed.
 */
export function decideWebhookStep(
  { tries, deadlineAt }: AttemptedEvent,
  answer: WebhookAnswer,
  now: Date,
  { timeScale, random }: RetryPolicy,
): WebhookStep {
  const statusCode = answer.kind === 'answer' ? answer.status : null;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { state: 'delivered', statusCode, error: null, wakeAt: null, penalty: { heldUntil: null, isGone: false } };
  }
  const requestedMs = requestedPauseMs(answer, now);
  const ownMs = (PAUSES_MS[tries - 1] ?? Infinity) * timeScale;
  const wakeAt = now.getTime() + Math.max(withJitter(ownMs, JITTER, random), requestedMs ?? 0);
  const isOver = !(wakeAt <= deadlineAt.getTime());
  return {
    state: isOver ? 'failed' : 'waiting',
    statusCode,
    error: errorOf(answer),
    wakeAt: isOver ? null : new Date(Math.ceil(wakeAt)),
    penalty: {
      heldUntil: requestedMs === null ? null : new Date(now.getTime() + requestedMs),
      isGone: statusCode === GONE,
    },
  };
}

/** Returns the pause that the receiver asks for when it answers that it is overloaded or not available. */
function requestedPauseMs(answer: WebhookAnswer, now: Date): number | null {
  if (answer.kind !== 'answer' || (answer.status !== TOO_MANY && answer.status !== UNAVAILABLE)) return null;
  return retryAfterMs(answer.retryAfter, now);
}

function errorOf(answer: WebhookAnswer): string {
  if (answer.kind === 'failure') return `${answer.code}: ${answer.reason}`;
  if (answer.status >= 300 && answer.status < 400)
    return `The receiver redirects (${answer.status}); redirects are not followed`;
  return `The receiver answered ${answer.status}`;
}
