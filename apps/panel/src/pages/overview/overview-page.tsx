import { Button, Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import type { OverviewResponse } from '../../api/generated/document';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { ErrorNotice } from '../../components/error-notice';
import { formatCompact, formatCount, formatNoun, formatShare } from '../../components/format';
import { IconSend } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Stat, Stats } from '../../components/stat';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import classes from './overview-page.module.css';
import { Platforms } from './platforms';
import { RecentSends } from './recent-sends';

const Throughput = lazy(() => import('./throughput').then(({ Throughput: Chart }) => ({ default: Chart })));
const POLL_MS = 3_000;

/** How the application stands: today's sends, how fast it sends now, whom it can reach, what needs somebody's attention. */
export function OverviewPage(): ReactNode {
  const overview = useRead('/api/push/overview', { params: { query: { since: midnight() } }, pollMs: POLL_MS });
  const maySend = useCan('send');
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          maySend && (
            <Button component={Link} href="/compose" leftSection={<IconSend size={16} aria-hidden />}>
              Compose
            </Button>
          )
        }
      />
      {overview.data ? (
        <Contents overview={overview.data} />
      ) : overview.error ? (
        <ErrorNotice error={overview.error} onRetry={() => void overview.refetch()} />
      ) : (
        <Skeleton height={420} radius="lg" role="status" aria-label="Reading the overview" />
      )}
    </>
  );
}

function Contents({ overview }: { overview: OverviewResponse }): ReactNode {
  const { steps, attention, devices, throughput } = overview;
  const isNew = !steps.hasVendor || !steps.hasDevice || !steps.hasMessage;
  return (
    <div className={classes.page}>
      {isNew && <FirstSteps steps={steps} />}
      <Attention notices={isNew ? attention.filter(({ kind }) => kind !== 'no_vendor') : attention} />
      <Figures overview={overview} />
      <div className={classes.columns}>
        <SectionCard
          title="Sending now"
          description={`Devices that vendors were asked about in the last ten minutes, every ${throughput.spanSeconds} seconds`}
        >
          <Suspense fallback={<Skeleton height={200} />}>
            <Throughput throughput={throughput} />
          </Suspense>
        </SectionCard>
        <SectionCard title="Devices by platform" description={devices && <AsOf at={devices.asOf} />}>
          {devices ? <Platforms byType={devices.byType} total={devices.total} /> : <Counting />}
        </SectionCard>
      </div>
      <RecentSends />
    </div>
  );
}

function Figures({ overview: { sends, devices, online } }: { overview: OverviewResponse }): ReactNode {
  const sendsToday = sends && sends.messages + sends.campaigns;
  return (
    <Stats>
      <Stat
        label="Sends today"
        value={sendsToday === null ? '…' : formatCompact(sendsToday)}
        hint={sends && `to ${formatNoun(sends.devices, 'device')}`}
      />
      <Stat
        label="Delivered today"
        value={sends ? formatCompact(sends.delivered) : '…'}
        hint={
          sends &&
          (sends.delivered > 0 && sends.devices > 0
            ? `${formatShare(sends.delivered, sends.devices)} of them`
            : 'as devices report')
        }
      />
      <Stat
        label="Opened today"
        value={sends ? formatCompact(sends.opened) : '…'}
        hint={
          sends &&
          (sends.delivered > 0 ? `${formatShare(sends.opened, sends.delivered)} of the delivered` : 'as devices report')
        }
      />
      <Stat
        label="Reachable devices"
        value={devices ? formatCompact(devices.reachable) : '…'}
        hint={devices ? `of ${formatCount(devices.total)}` : 'being counted'}
      />
      <Stat label="Online now" value={online ? formatCompact(online.devices) : '…'} hint="with an own connection" />
    </Stats>
  );
}

function AsOf({ at }: { at: string }): ReactNode {
  return (
    <>
      as of <Moment at={at} />; counted once a minute
    </>
  );
}

function Counting(): ReactNode {
  return <div role="status">Being counted …</div>;
}

/** Where the reader is. */
function midnight(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}
