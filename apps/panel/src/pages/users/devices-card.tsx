import { Accordion, Badge, Group, Text, Anchor, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ReachableDeviceResponse } from '@postrider/server/document';
import { CopyButton } from '../../components/copy-button';
import { formatMoment, formatNoun, platformName } from '../../components/format';
import { IconBrandAndroid, IconBrandApple, IconDeviceMobile, IconWorld } from '../../components/icons';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Fact } from '../../components/stat';
import { Typed } from '../../components/typed';
import { modelOf, versionsOf } from './device-name';
import classes from './users.module.css';
import { useRead } from '../../api/reading';
import { StateBadge } from '../../components/state-badge';
import { Link } from 'wouter';

const MOST_LISTED = 100;
const ICONS: Record<string, typeof IconWorld> = {
  android: IconBrandAndroid,
  ios: IconBrandApple,
  web: IconWorld,
};

/** A user's devices, each with its facts and its reachability. */
export function DevicesCard({ devices }: { devices: readonly ReachableDeviceResponse[] }): ReactNode {
  return (
    <SectionCard
      title={devices.length === 1 ? 'Device' : 'Devices'}
      description={devices.length >= MOST_LISTED ? `The first ${MOST_LISTED} of them.` : undefined}
      isFlush
    >
      {devices.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.note}>
          No device is registered. Messages to this user reach nobody.
        </Text>
      ) : (
        <Accordion
          order={3}
          chevronPosition="right"
          defaultValue={devices.length === 1 ? devices[0]?.id : null}
          styles={{ control: UNDER_TITLE, content: UNDER_TITLE }}
        >
          {devices.map((device) => (
            <DeviceItem key={device.id} device={device} />
          ))}
        </Accordion>
      )}
    </SectionCard>
  );
}

/** The devices stand below the beginning of the card's title. */
const UNDER_TITLE = { paddingInline: '1.35rem' };

function DeviceItem({ device }: { device: ReachableDeviceResponse }): ReactNode {
  const Sign = ICONS[(device.deviceType ?? '').toLowerCase()] ?? IconDeviceMobile;
  const reach = sayReachability(device);
  return (
    <Accordion.Item value={device.id}>
      <Accordion.Control icon={<Sign size={22} stroke={1.6} aria-hidden />}>
        <Group justify="space-between" gap="xs" pe="xs">
          <span>
            <Text fw={600} size="sm" component="span">
              <Typed text={modelOf(device)} />
            </Text>{' '}
            <Text size="sm" c="dimmed" component="span">
              <Typed text={versionsOf(device)} />
            </Text>
          </span>
          <Badge variant="light" color={reach.isReachable ? 'pine' : 'amber'} tt="none">
            {reach.label}
          </Badge>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <DeviceFacts device={device} why={reach.why} />
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function DeviceFacts({ device, why }: { device: ReachableDeviceResponse; why: string }): ReactNode {
  const facts = [
    ['Type', device.deviceType && platformName(device.deviceType)],
    ['System', device.osVersion],
    ['App version', device.clientVersion],
    ['Push', device.pushType],
    ['Token', device.deviceToken],
    ['Token status', device.tokenStatus],
    ['Channels', device.subscriptions.join(', ')],
    ['Language', device.locale],
    ['Time zone', device.timeZone],
    ['Location', device.location ? `${device.location.lat}, ${device.location.lng}` : null],
    ['Visits', String(device.launchCount)],
    ['Installed', formatMoment(device.installDate)],
  ] as const;
  return (
    <>
      <Text size="sm" mb="sm">
        {why} Last visit: <Moment at={device.launchTime} />.
      </Text>
      <Presence installationId={device.id} />
      <dl className={classes.facts}>
        <div>
          <dt>Id</dt>
          <dd>
            <Group gap={4} wrap="nowrap">
              <Typed text={device.id} isMono /> <CopyButton value={device.id} label="Copy the id" />
            </Group>
          </dd>
        </div>
        {facts.map(([name, value]) => (value ? <TypedFact key={name} name={name} value={value} /> : null))}
      </dl>
      <Inbox installationId={device.id} />
    </>
  );
}

/** The facts of a device that decide if a message can reach it. */
type ReachableFacts = Pick<ReachableDeviceResponse, 'reachedBy' | 'unreachableReason' | 'tokenStatus' | 'pushType'>;

/** True if and how a device can be reached, in a word and in a sentence. */
interface Reachability {
  isReachable: boolean;
  label: string;
  why: string;
}

const VENDORS: Record<string, string> = { fcm: 'FCM', apns: 'APNs', hms: 'Huawei', webpush: 'web push' };
const TOKEN_STATES: Record<string, string> = {
  DENIED: 'Its user does not allow notifications.',
  ERR: 'It could not get a token of its vendor.',
};

/** Says how messages reach a device, or why none does: as the gateway routes it. */
export function sayReachability(device: ReachableFacts): Reachability {
  const { reachedBy } = device;
  if (reachedBy === 'connection') {
    return { isReachable: true, label: 'In the app', why: 'Messages reach it over its own connection.' };
  }
  if (reachedBy !== null) {
    return { isReachable: true, label: 'Reachable', why: `Messages reach it by ${VENDORS[reachedBy] ?? reachedBy}.` };
  }
  return { isReachable: false, label: 'Not reachable', why: `${whyUnreachable(device)} Nothing can be sent to it.` };
}

function whyUnreachable({ unreachableReason, tokenStatus, pushType }: ReachableFacts): string {
  switch (unreachableReason) {
    case 'vendor_not_configured':
      return `It waits for ${VENDORS[pushType ?? ''] ?? 'its vendor'}, which is not connected.`;
    case 'user_not_proved':
      return 'It has not proved its user, which the application requires.';
    case 'no_token':
      return 'It has no token of a vendor.';
    default:
      return TOKEN_STATES[tokenStatus ?? ''] ?? sayStatus(tokenStatus);
  }
}

function sayStatus(status: string | null): string {
  if (status?.startsWith('NOT_SUPPORTED')) return 'It does not support notifications.';
  return `Its token is switched off (${status ?? 'unknown'}).`;
}

/** Shows if the app of a device is connected now. Shows nothing if that is not known. */
function Presence({ installationId }: { installationId: string }): ReactNode {
  const { data } = useRead('/api/installations/{id}/presence', {
    params: { path: { id: installationId } },
    pollMs: 15_000,
  });
  if (!data) return null;
  const at = data.online ? data.connectedAt : data.lastSeenAt;
  return (
    <Text size="sm" mb="sm" component="div">
      <StateBadge state={data.online ? 'ok' : 'skipped'} label={data.online ? 'Connected now' : 'Not connected'} />
      {at && (
        <>
          {' '}
          {data.online ? 'since' : 'last seen'} <Moment at={at} />
        </>
      )}
    </Text>
  );
}

const FEW = 10;

/** The messages that a device's app keeps. Shows nothing where there is no inbox. */
function Inbox({ installationId }: { installationId: string }): ReactNode {
  const { data } = useRead('/api/installations/{id}/inbox', {
    params: { path: { id: installationId }, query: { limit: FEW } },
  });
  if (!data) return null;
  return (
    <div className={classes.inbox}>
      <Title order={4} size="h3">
        Inbox
        {data.unread > 0 && (
          <Text span size="sm" c="dimmed">
            {' '}
            {formatNoun(data.unread, 'unread message')}
          </Text>
        )}
      </Title>
      {data.messages.length === 0 ? (
        <Text size="sm" c="dimmed">
          It is empty.
        </Text>
      ) : (
        <ul className={classes.kept}>
          {data.messages.map((message) => {
            const at = message.createdAt === undefined ? null : new Date(message.createdAt).toISOString();
            return (
              <li key={message.id}>
                <Anchor component={Link} size="sm" href={`/messages/${message.id}/devices/${installationId}`}>
                  <Typed text={message.content ?? message.notification?.title ?? 'A message without text'} lines={1} />
                </Anchor>
                <Text size="xs" c="dimmed" component="span">
                  {at && <Moment at={at} />}
                  {message.read ? ' · read' : ''}
                </Text>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** One fact, as a person typed it. */
export function TypedFact({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <Fact name={<Typed text={name} />}>
      <Typed text={value} lines={6} />
    </Fact>
  );
}
