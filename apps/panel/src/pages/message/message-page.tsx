import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error';
import { useRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconMessage } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { MessageDetails } from './message-details';
import { PlannedCampaign } from './planned-campaign';
import { nextLookMs } from './totals';

const BACK = {
  messages: { href: '/messages', label: 'Messages' },
  campaigns: { href: '/campaigns', label: 'Campaigns' },
} as const;

/** One message or campaign; looked at again while it runs. */
export function MessagePage({ kind, id }: { kind: 'messages' | 'campaigns'; id: string }): ReactNode {
  const found = useRead(`/api/push/${kind}/{id}`, {
    params: { path: { id } },
    pollMs: (message) => (message === undefined || !('content' in message) ? false : nextLookMs(message, Date.now())),
  });
  const back = BACK[kind];
  if (found.data) {
    return 'content' in found.data ? (
      <MessageDetails kind={kind} message={found.data} back={back} />
    ) : (
      <PlannedCampaign campaign={found.data} back={back} />
    );
  }
  if (!found.error) return <Skeleton height={320} radius="lg" aria-label="Reading the message" role="status" />;
  const isUnknown = found.error instanceof ApiError && found.error.status === 404;
  return (
    <>
      <PageHeader title="Message" back={back} />
      {isUnknown ? (
        <EmptyState icon={IconMessage} title="There is no such message">
          It may be older than the days that messages are kept, belong to another application, or the address has a
          typing error.
        </EmptyState>
      ) : (
        <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />
      )}
    </>
  );
}
