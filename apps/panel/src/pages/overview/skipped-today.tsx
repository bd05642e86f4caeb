import type { ReactNode } from 'react';
import type { OverviewResponse } from '@postrider/server/document';
import { formatNoun } from '../../components/format';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { SkippedTotals } from '../message/skipped-totals';

/** The devices that today's messages were not sent to, and why. Nothing if there are none. */
export function SkippedToday({ skips }: Pick<OverviewResponse, 'skips'>): ReactNode {
  if (skips === null || skips.devices === 0) return null;
  return (
    <SectionCard
      title="Not sent today, and why"
      description={
        <>
          {formatNoun(skips.devices, 'device')} that today’s sends left out, once for each message, as of{' '}
          <Moment at={skips.asOf} />
        </>
      }
    >
      <SkippedTotals skipped={skips.byReason} byVendor={skips.byVendor} />
    </SectionCard>
  );
}
