import { Accordion, Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { InstallationResponse } from '../../api/generated/document';
import { CopyButton } from '../../components/copy-button';
import { formatMoment } from '../../components/format';
import { IconBrandAndroid, IconBrandApple, IconDeviceMobile, IconWorld } from '../../components/icons';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { TypedFact } from './attributes-card';
import { Inbox } from './inbox';
import { Presence } from './presence';
import { sayReachability } from '../../model/say-reachability';
import classes from './users.module.css';

const MOST_LISTED = 100;
const ICONS: Record<string, typeof IconWorld> = {
  android: IconBrandAndroid,
  ios: IconBrandApple,
  web: IconWorld,
};

/** A user's devices, each with what it is and whether it can be reached. */
export function DevicesCard({ devices }: { devices: readonly InstallationResponse[] }): ReactNode {
  return (
    <SectionCard
      title={devices.length === 1 ? 'Device' : 'Devices'}
      description={devices.length >= MOST_LISTED ? `The first ${MOST_LISTED} of them.` : undefined}
      isFlush
    >
      {devices.length === 0 ? (
        <Text size="sm" c="dimmed" className={classes.note}>
          No device is registered: what is sent to this user goes nowhere.
        </Text>
      ) : (
        <Accordion order={3} chevronPosition="right" defaultValue={devices.length === 1 ? devices[0]?.id : null}>
          {devices.map((device) => (
            <DeviceItem key={device.id} device={device} />
          ))}
        </Accordion>
      )}
    </SectionCard>
  );
}

function DeviceItem({ device }: { device: InstallationResponse }): ReactNode {
  const Sign = ICONS[(device.deviceType ?? '').toLowerCase()] ?? IconDeviceMobile;
  const reach = sayReachability(device);
  const model = typeof device.deviceModel === 'string' ? device.deviceModel : null;
  return (
    <Accordion.Item value={device.id}>
      <Accordion.Control icon={<Sign size={22} stroke={1.6} aria-hidden />}>
        <Group justify="space-between" gap="xs" pe="xs">
          <span>
            <Text fw={600} size="sm" component="span">
              <Typed text={model ?? device.deviceType ?? 'Device'} />
            </Text>{' '}
            <Text size="sm" c="dimmed" component="span">
              <Typed
                text={[device.osVersion, device.clientVersion && `app ${device.clientVersion}`]
                  .filter(Boolean)
                  .join(' · ')}
              />
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

function DeviceFacts({ device, why }: { device: InstallationResponse; why: string }): ReactNode {
  const facts = [
    ['Type', device.deviceType],
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
