import type { ReactNode } from 'react';
import { MINUTE_MS } from '@postrider/domain';
import type { MessageSummaryResponse, PlannedCampaignResponse } from '@postrider/server/document';
import type { Column } from '../../components/data-table';
import { Moment, useNow } from '../../components/moment';
import { StateBadge } from '../../components/state-badge';
import { isScheduled } from '../../model/scheduled-message';
import classes from './send-state.module.css';

type Send = Pick<MessageSummaryResponse, 'status' | 'sendAt' | 'startsAt' | 'acceptedAt'>;

/** The state of a message in a list; a message that waits for its time is called scheduled. */
export function SendState({ send }: { send: Send }): ReactNode {
  const isWaiting = useIsWaiting(send);
  return <StateBadge state={isWaiting ? 'scheduled' : send.status} />;
}

/**
 * The time of a message by which lists are ordered and filtered: when it leaves or left. Of one that was cancelled, when
 * it was to leave.
 *
 * @param props.isInColumn the heading says that it leaves
 */
export function SendMoment({ send, isInColumn = false }: { send: Send; isInColumn?: boolean }): ReactNode {
  const { status, sendAt, startsAt, acceptedAt } = send;
  const isWaiting = useIsWaiting(send);
  const isDropped = sendAt !== null && status === 'cancelled';
  const moment = <Moment at={sendAt === null ? acceptedAt : startsAt} isAbsolute={isWaiting || isDropped} />;
  if (isWaiting && !isInColumn) return <>leaves {moment}</>;
  return isDropped ? <>was due {moment}</> : moment;
}

/** The times of the messages and planned campaigns of a list: of a scheduled one also when it was accepted. */
export const SEND_MOMENT: Column<Send | PlannedCampaignResponse> = {
  key: 'at',
  header: 'Sent or leaves',
  width: '11rem',
  align: 'end',
  render: (send) => {
    if (!('acceptedAt' in send))
      return (
        <>
          planned <Moment at={send.createdAt} />
        </>
      );
    return (
      <>
        <SendMoment send={send} isInColumn />
        {send.sendAt !== null && (
          <>
            {' '}
            <span className={classes.accepted}>
              accepted <Moment at={send.acceptedAt} />
            </span>
          </>
        )}
      </>
    );
  },
};

function useIsWaiting(send: Send): boolean {
  return isScheduled(send, useNow(MINUTE_MS / 2));
}
