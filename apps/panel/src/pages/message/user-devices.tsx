import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconUsers } from '../../components/icons';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './user-devices.module.css';
import { whyOf } from './words';

/** What a message came to on each device of one user, devices that it did not go to too. */
export function UserDevices(props: { messageId: string; kind: 'messages' | 'campaigns'; userId: string }): ReactNode {
  const { messageId, kind, userId } = props;
  const found = useRead('/api/push/messages/{id}/devices', {
    params: { path: { id: messageId }, query: { userId } },
  });
  if (found.error) return <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <div className={classes.list} aria-busy />;
  const { devices } = found.data;
  if (devices.length === 0) {
    return (
      <EmptyState icon={IconUsers} title="This user has no device">
        There is no device registered for <Typed text={userId} />, so that nothing could be sent to it. Ids are compared
        exactly; case matters.
      </EmptyState>
    );
  }
  return (
    <ul className={classes.list}>
      {devices.map(({ installation, delivery, reason }) => (
        <li key={installation.id} className={classes.device}>
          <div className={classes.words}>
            <Link href={`/${kind}/${messageId}/devices/${installation.id}`} className={classes.name}>
              <Typed text={installation.deviceType ?? 'device'} /> <Typed text={installation.id} isMono lines={1} />
            </Link>
            <Typed text={delivery ? whyOf(delivery) || '' : (reason ?? '')} />
          </div>
          {delivery ? <StateBadge state={delivery.state} /> : <StateBadge state="none" label="not a recipient" />}
        </li>
      ))}
    </ul>
  );
}
