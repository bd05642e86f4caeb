import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PlannedCampaignResponse } from '../../api/generated/document';
import { EmptyState } from '../../components/empty-state';
import { IconSpeakerphone } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';

/** A campaign that was made ahead and not sent yet. */
export function PlannedCampaign(props: {
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
          Upload its promo codes if it has any, then send it under its track id.
        </EmptyState>
      </SectionCard>
    </>
  );
}
