import type { DeliveryState } from '@postrider/domain';
import type { Remainder, Settlement } from '@postrider/persistence';
import type { PageRun, StopCause } from './page-run';
import { planRetryPages } from './plan-retry-pages';

/** How the endings of a message look on its deliveries. */
const ENDINGS: Partial<Record<StopCause, { state: DeliveryState; reason: string }>> = {
  cancelled: { state: 'cancelled', reason: 'The message was cancelled before it was sent to this device' },
  expired: { state: 'expired', reason: 'The message expired before it could be sent to this device' },
};

/**
 * What to write for a run that ended: the outcomes not yet flushed; for a cancelled or expired message the same ending for
 * everyone left, whoever waits for a retry included; for a run that was held or interrupted the remainder of its page.
 */
export function composeSettlement(run: PageRun, now: Date, newId: () => string): Settlement {
  const ending = run.stopCause === null ? undefined : ENDINGS[run.stopCause];
  if (ending !== undefined) run.endUnfinished(ending, now.getTime());
  else keepForConnections(run, now);
  return {
    recorded: run.takeOutcomes(),
    retries: ending === undefined ? planRetryPages(run.retries, now, newId) : [],
    remainder: ending === undefined ? remainderOf(run, now) : null,
    now,
    lastCallAt: new Date(run.lastCallAt),
  };
}

/** Whoever waits for the vendor gets the message over their connection meanwhile, and has it in the inbox. */
function keepForConnections(run: PageRun, now: Date): void {
  if (run.stopCause === 'stopping') return;
  const inboxes = new Set(run.key.inboxDeviceIds ?? []);
  const waiting = run.unfinished().concat(run.retries.map(({ deviceId }) => deviceId));
  run.recordPending(
    waiting.filter((deviceId) => inboxes.has(deviceId)),
    now.getTime(),
  );
}

function remainderOf(run: PageRun, now: Date): Remainder | null {
  const deviceIds = run.unfinished();
  if (deviceIds.length === 0) return null;
  if (run.stopCause === 'stopping') return { deviceIds, notBefore: null, forgetsFirstAttempt: false };
  return { deviceIds, notBefore: run.route.resumesAt(now), forgetsFirstAttempt: true };
}
