import type { ReactNode } from 'react';
import { MINUTE_MS } from '@postrider/domain';
import type { MessageSummaryResponse } from '@postrider/server/document';
import { Moment, useNow } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';
import { isScheduled } from '../../model/scheduled-message';

type Send = Pick<MessageSummaryResponse, 'status' | 'sendAt' | 'startsAt' | 'acceptedAt'>;

/** The state of a message in a list; a message that waits for its time is called scheduled. */
export function SendState({ send }: { send: Send }): ReactNode {
  const isWaiting = useIsWaiting(send);
  return <StateBadge state={isWaiting ? 'scheduled' : send.status} />;
}

/**
 * The time of a message in a list: when it leaves or left if it was scheduled, otherwise when it was accepted. A
 * cancelled one has no time at which it leaves.
 */
export function SendMoment({ send }: { send: Send }): ReactNode {
  const { status, sendAt, startsAt, acceptedAt } = send;
  const isWaiting = useIsWaiting(send);
  return <Moment at={sendAt === null || status === 'cancelled' ? acceptedAt : startsAt} isAbsolute={isWaiting} />;
}

function useIsWaiting(send: Send): boolean {
  return isScheduled(send, useNow(MINUTE_MS / 2));
}
