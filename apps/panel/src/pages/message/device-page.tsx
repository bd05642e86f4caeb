import { Anchor, Skeleton, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DeliveryResponse, MessageDeviceResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { ErrorNotice } from '../../components/error-notice';
import { Fact } from '../../components/stat';
import { platformName } from '../../components/format';
import { Moment } from '../../components/moment';
import { PageHeader } from '../../components/page-header';
import { SectionCard } from '../../components/section-card';
import { StateBadge } from '../../components/state-badge';
import { Typed } from '../../components/typed';
import classes from './message-page.module.css';
import { STATE_MEANING, vendorName, whyOf } from './words';

/** One message on one device: its whole history, and the reason if it got nothing. */
export function DevicePage(props: {
  kind: 'messages' | 'campaigns';
  messageId: string;
  installationId: string;
}): ReactNode {
  const { kind, messageId, installationId } = props;
  const found = useRead('/api/push/messages/{id}/devices/{installationId}', {
    params: { path: { id: messageId, installationId } },
    pollMs: 5_000,
  });
  const back = { href: `/${kind}/${messageId}`, label: kind === 'messages' ? 'The message' : 'The campaign' };
  if (found.error && !found.data) {
    return (
      <>
        <PageHeader title="Device" back={back} />
        <ErrorNotice error={found.error} title="This device cannot be shown" onRetry={() => found.refetch()} />
      </>
    );
  }
  if (!found.data) return <Skeleton height={320} radius="lg" role="status" aria-label="Reading the device" />;
  const { installation, delivery, reason } = found.data;
  return (
    <>
      <PageHeader
        title={
          <>
            <Typed text={installation.userId} /> on {kindOf(installation) ?? 'a device'}
          </>
        }
        documentTitle="Device"
        back={back}
        description={
          <span className={classes.facts}>
            {delivery ? <StateBadge state={delivery.state} /> : <StateBadge state="none" label="not a recipient" />}
            <span>{delivery ? STATE_MEANING[delivery.state] : 'the message was not sent to this device'}</span>
          </span>
        }
      />
      <div className={classes.columns}>
        <div className={classes.column}>
          <SectionCard title={delivery ? 'What happened' : 'Why the device got nothing'}>
            {delivery ? <Story delivery={delivery} /> : <Typed text={reason ?? ''} />}
          </SectionCard>
          {found.data.fallback !== null && <Fallback fallback={found.data.fallback} />}
        </div>
        <Device story={found.data} />
      </div>
    </>
  );
}

function kindOf({ deviceType }: MessageDeviceResponse['installation']): string | null {
  return deviceType === null ? null : platformName(deviceType);
}

function Story({ delivery }: { delivery: DeliveryResponse }): ReactNode {
  const why = whyOf(delivery);
  const by = delivery.vendor === null ? '' : ` over ${vendorName(delivery.vendor)}`;
  const steps: [string, string | null][] = [
    ['Became a recipient', delivery.createdAt],
    [`Sent${by}`, delivery.sentAt],
    ['Delivered', delivery.deliveredAt],
    ['Shown', delivery.shownAt],
    ['Dismissed', delivery.dismissedAt],
    ['Opened', delivery.openedAt],
  ];
  const past = steps.filter((step): step is [string, string] => step[1] !== null);
  const isOver = ['failed', 'expired', 'skipped', 'cancelled', 'pending'].includes(delivery.state);
  return (
    <Timeline active={past.length + (isOver ? 1 : 0)} bulletSize={14} lineWidth={2}>
      {past.map(([name, at]) => (
        <Timeline.Item key={name} title={name}>
          <Moment at={at} isAbsolute />
        </Timeline.Item>
      ))}
      {isOver && (
        <Timeline.Item
          title={delivery.state.slice(0, 1).toUpperCase() + delivery.state.slice(1)}
          color={delivery.state === 'failed' ? 'red' : 'yellow'}
        >
          <Typed text={why || STATE_MEANING[delivery.state]} />
          <div>
            {delivery.attempt > 0 && `Attempt ${delivery.attempt}, `}
            <Moment at={delivery.updatedAt} isAbsolute />
          </div>
        </Timeline.Item>
      )}
    </Timeline>
  );
}

function Fallback({ fallback }: { fallback: NonNullable<MessageDeviceResponse['fallback']> }): ReactNode {
  return (
    <SectionCard title="Fallback SMS">
      <dl className={classes.list}>
        <Fact name="State">
          <StateBadge state={fallback.state} /> {fallback.reason !== null && <Typed text={fallback.reason} />}
        </Fact>
        {fallback.phone !== null && <Fact name="Number">{fallback.phone}</Fact>}
        <Fact name="Due">
          <Moment at={fallback.dueAt} isAbsolute />
        </Fact>
      </dl>
    </SectionCard>
  );
}

function Device({ story: { installation, delivery } }: { story: MessageDeviceResponse }): ReactNode {
  return (
    <div className={classes.column}>
      <SectionCard title="The device">
        <dl className={classes.list}>
          <Fact name="User">
            <Anchor component={Link} href={`/users/${encodeURIComponent(installation.userId)}`} inherit>
              <Typed text={installation.userId} />
            </Anchor>
          </Fact>
          <Fact name="Kind">
            <Typed text={[kindOf(installation), installation.osVersion].filter(Boolean).join(' ') || 'unknown'} />
          </Fact>
          <Fact name="App version">
            <Typed text={installation.clientVersion ?? 'unknown'} />
          </Fact>
          <Fact name="Push token">{tokenWords(installation)}</Fact>
          <Fact name="Last opened the app">
            <Moment at={installation.launchTime} />
          </Fact>
          <Fact name="Registered">
            <Moment at={installation.createdAt} isAbsolute />
          </Fact>
          {delivery?.vendorMessageId != null && (
            <Fact name="The vendor’s id">
              <Typed text={delivery.vendorMessageId} isMono />
            </Fact>
          )}
          {delivery?.language != null && (
            <Fact name="Language">
              <Typed text={delivery.language} isMono />
            </Fact>
          )}
          {delivery?.variant != null && (
            <Fact name="Variant">
              <Typed text={delivery.variant} />
            </Fact>
          )}
          {delivery?.promoCode != null && (
            <Fact name="Promo code">
              <Typed text={delivery.promoCode} isMono />
            </Fact>
          )}
          <Fact name="Installation id">
            <Typed text={installation.id} isMono />
          </Fact>
        </dl>
      </SectionCard>
    </div>
  );
}

function tokenWords({ deviceToken, pushType, tokenStatus }: MessageDeviceResponse['installation']): string {
  if (deviceToken === null) return 'none';
  const vendor = pushType === null ? 'of no known vendor' : vendorName(pushType);
  return tokenStatus === null || tokenStatus === 'ALLOWED' ? vendor : `${vendor}, switched off (${tokenStatus})`;
}
