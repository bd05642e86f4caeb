import type { ReactNode } from 'react';
import { MINUTE_MS } from '@postrider/domain';
import type { MessageSummaryResponse } from '@postrider/server/document';
import { Moment, useNow } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';
import { isScheduled } from '../../model/scheduled-message';
import classes from './message-cell.module.css';

/**
 * The state of a message in a list; a message that waits for its time is called scheduled, with the time when it
 * leaves.
 */
export function SendState({
  send,
}: {
  send: Pick<MessageSummaryResponse, 'status' | 'sendAt' | 'startsAt'>;
}): ReactNode {
  const isWaiting = isScheduled(send, useNow(MINUTE_MS / 2));
  if (!isWaiting) return <StateBadge state={send.status} />;
  return (
    <span className={classes.cell}>
      <StateBadge state="scheduled" />
      <span className={classes.subline}>
        <Moment at={send.startsAt} isAbsolute />
      </span>
    </span>
  );
}
