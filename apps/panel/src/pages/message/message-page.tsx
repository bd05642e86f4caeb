import { Skeleton, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error';
import { gatewayNow } from '../../api/gateway-clock';
import { useRead } from '../../api/reading';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { IconMessage, IconSpeakerphone } from '../../components/icons';
import { PageHeader } from '../../components/page-header';
import { MessageDetails } from './message-details';
import { nextLookMs } from './totals';
import { Link } from 'wouter';
import type { PlannedCampaignResponse } from '@postrider/server/document';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';

const BACK = {
  messages: { href: '/messages', label: 'Messages' },
  campaigns: { href: '/campaigns', label: 'Campaigns' },
} as const;

/** One message or campaign; read again while it runs. */
export function MessagePage({ kind, id }: { kind: 'messages' | 'campaigns'; id: string }): ReactNode {
  const found = useRead(`/api/push/${kind}/{id}`, {
    params: { path: { id } },
    pollMs: (message) => (message === undefined || !('content' in message) ? false : nextLookMs(message, gatewayNow())),
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
          It may have been deleted after the retention time or belong to another application, or the address is wrong.
        </EmptyState>
      ) : (
        <ErrorNotice error={found.error} onRetry={() => found.refetch()} />
      )}
    </>
  );
}

/** A campaign that was made ahead and not sent yet. */
function PlannedCampaign(props: {
  campaign: PlannedCampaignResponse;
  back: { href: string; label: string };
}): ReactNode {
  const { campaign, back } = props;
  const track = encodeURIComponent(campaign.trackId);
  return (
    <>
      <PageHeader
        title={<Typed text={campaign.name ?? campaign.trackId} />}
        documentTitle={campaign.name ?? campaign.trackId}
        description={
          <>
            <Typed text={campaign.trackId} isMono /> · planned <Moment at={campaign.createdAt} />
          </>
        }
        back={back}
      />
      <SectionCard>
        <EmptyState
          icon={IconSpeakerphone}
          title="Not sent yet"
          action={
            <Group justify="center">
              <Button component={Link} href={`/compose?to=segment&trackId=${track}`}>
                Compose it
              </Button>
              <Button component={Link} href="/promo" variant="default">
                Upload promo codes
              </Button>
            </Group>
          }
        >
          Upload promo codes if needed. Then send the campaign with its track id.
        </EmptyState>
      </SectionCard>
    </>
  );
}
