import { Button, Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'wouter';
import type { OverviewResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { gatewayNow } from '../../api/gateway-clock';
import { useCan } from '../../api/session';
import { ErrorNotice } from '../../components/error-notice';
import { formatCompact, formatCount, formatNoun, formatShare, platformName } from '../../components/format';
import { IconSend, IconDeviceMobile } from '../../components/icons';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { Stat, Stats } from '../../components/stat';
import { Attention } from './attention';
import { FirstSteps } from './first-steps';
import classes from './overview-page.module.css';
import { RecentSends } from './recent-sends';
import { SkippedToday } from './skipped-today';
import { EmptyState } from '../../components/empty-state';
import { WaitingForVendors } from './waiting-for-vendors';
import { Typed } from '../../components/typed';

const Throughput = lazy(() => import('./throughput').then(({ Throughput: Chart }) => ({ default: Chart })));
const POLL_MS = 3_000;

/** The state of the application: today's sends, its speed now, whom it can reach, what needs attention. */
export function OverviewPage(): ReactNode {
  const overview = useRead('/api/push/overview', { params: { query: { since: midnight() } }, pollMs: POLL_MS });
  const maySend = useCan('send');
  return (
    <>
      <PageHeader
        title="Overview"
        description={sayToday()}
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
        <ErrorNotice error={overview.error} onRetry={() => overview.refetch()} />
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
        <SectionCard title="Sending now" description="Devices attempted per second, over the last ten minutes">
          <Suspense fallback={<Skeleton height={200} />}>
            <Throughput throughput={throughput} />
          </Suspense>
        </SectionCard>
        <SectionCard title="Devices by platform" description={devices && <AsOf at={devices.asOf} />}>
          {devices ? <Platforms byType={devices.byType} total={devices.total} /> : <Counting />}
          {devices && <WaitingForVendors waiting={devices.waitingForVendors} />}
        </SectionCard>
      </div>
      <SkippedToday skips={overview.skips} />
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
        hint={sends && shareOf(sends, sends.delivered)}
      />
      <Stat
        label="Opened today"
        value={sends ? formatCompact(sends.opened) : '…'}
        hint={sends && shareOf(sends, sends.opened)}
      />
      <Stat
        label="Reachable devices"
        value={devices ? formatCompact(devices.reachable) : '…'}
        hint={devices ? `of ${formatCount(devices.total)}` : 'being counted'}
      />
      <Stat
        label="Online now"
        value={online ? formatCompact(online.devices) : '…'}
        hint="devices with their own connection"
      />
    </Stats>
  );
}

/** Both rates are of the devices that were sent to today, and say so. */
function shareOf({ devices, delivered }: NonNullable<OverviewResponse['sends']>, count: number): string {
  if (delivered === 0 || devices === 0) return 'as devices report';
  return `${formatShare(count, devices)} of ${formatCompact(devices)} devices`;
}

function AsOf({ at }: { at: string }): ReactNode {
  return (
    <>
      as of <Moment at={at} />, counted once a minute
    </>
  );
}

function Counting(): ReactNode {
  return <div role="status">Being counted …</div>;
}

/** The span of time of the figures of today, and what they count. */
function sayToday(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `“Today” is what left since 00:00 (${timeZone}). A device counts once for each message.`;
}

/** Returns midnight in the reader's time zone. */
function midnight(): string {
  const now = new Date(gatewayNow());
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

type ByType = NonNullable<OverviewResponse['devices']>['byType'];

const MOST_SHOWN = 6;

/** The number of devices of each platform, and how many of them can be reached. */
function Platforms({ byType, total }: { byType: ByType; total: number }): ReactNode {
  if (total === 0) {
    return (
      <EmptyState icon={IconDeviceMobile} title="No device yet">
        Devices appear here when your app registers them.
      </EmptyState>
    );
  }
  const largest = Math.max(...byType.map((type) => type.total));
  return (
    <>
      <ul className={classes.platforms}>
        {byType.slice(0, MOST_SHOWN).map(({ deviceType, total: all, reachable }) => (
          <li key={deviceType ?? ''}>
            <div className={classes.platformName}>
              <Typed text={deviceType === null ? 'Unknown' : platformName(deviceType)} lines={1} />
              <span>{formatCount(all)}</span>
            </div>
            <div
              className={`meter ${classes.track ?? ''}`}
              role="img"
              aria-label={`${formatCount(reachable)} of ${formatCount(all)} reachable`}
            >
              <span
                className={`meter-fill ${classes.reachable ?? ''}`}
                style={{ width: `${(reachable / largest) * 100}%` }}
              />
              <span
                className={`meter-rest ${classes.unreachable ?? ''}`}
                style={{ width: `${((all - reachable) / largest) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.legend} aria-hidden>
        <span>
          <i className={`meter-fill ${classes.swatch ?? ''} ${classes.reachable ?? ''}`} />
          reachable
        </span>
        <span>
          <i className={`meter-rest ${classes.swatch ?? ''} ${classes.unreachable ?? ''}`} />
          not reachable
        </span>
      </div>
    </>
  );
}
