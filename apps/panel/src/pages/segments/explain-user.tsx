import { Anchor, Badge, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error';
import type { ExplainedDeviceResponse } from '@postrider/server/document';
import { ErrorNotice } from '../../components/error-notice';
import { IconCheck, IconX } from '../../components/icons';
import { Typed } from '../../components/typed';
import classes from './explain-user.module.css';
import { type AskedGroup, useGroupExplanation } from './audience-size';

const FEW_DEVICES = 20;

/** Asks for a user, and says of each device why it is in the group or not. */
export function ExplainUser({ group }: { group: AskedGroup | null }): ReactNode {
  const [typed, setTyped] = useState('');
  const [userId, setUserId] = useState('');
  const found = useGroupExplanation(group, { isOn: userId !== '', userId });
  const isUnknown = found.error instanceof ApiError && found.error.status === 404;
  return (
    <Stack gap="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setUserId(typed.trim());
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label="User id"
            description="Why is this user in the segment, or not?"
            dir="auto"
            className={classes.field}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={found.isFetching}
            disabled={group === null || typed.trim() === ''}
          >
            Ask
          </Button>
        </Group>
      </form>
      {isUnknown ? <Unknown userId={userId} /> : <ErrorNotice error={found.error} />}
      <Devices devices={found.data?.explained ?? []} />
    </Stack>
  );
}

function Unknown({ userId }: { userId: string }): ReactNode {
  return (
    <Text size="sm" role="status">
      There is no user <Typed text={userId} isMono /> with a device.
    </Text>
  );
}

function Devices({ devices }: { devices: readonly ExplainedDeviceResponse[] }): ReactNode {
  return (
    <>
      {devices.slice(0, FEW_DEVICES).map((device) => (
        <Device key={device.installationId} device={device} />
      ))}
      {devices.length > FEW_DEVICES && (
        <Text size="sm" c="dimmed">
          The first {FEW_DEVICES} devices are shown.
        </Text>
      )}
    </>
  );
}

function Device({ device }: { device: ExplainedDeviceResponse }): ReactNode {
  return (
    <div className={classes.device} data-in={device.isIn || undefined}>
      <Group gap="xs" mb={6}>
        <Badge color={device.isIn ? 'pine' : 'gray'} variant="light" tt="none">
          {device.isIn ? 'Would get it' : 'Would not get it'}
        </Badge>
        <Anchor size="sm" component={Link} href={`/users/${encodeURIComponent(device.userId)}`}>
          Device <Typed text={device.installationId} isMono />
        </Anchor>
      </Group>
      {device.reasons.length > 0 && (
        <List size="sm" mb={6}>
          {device.reasons.map((reason, n) => (
            <List.Item key={n}>
              <Typed text={reason} />
            </List.Item>
          ))}
        </List>
      )}
      <ul className={classes.rules}>
        {device.rules
          .filter(({ why }) => !device.reasons.includes(why))
          .map(({ path, holds, why }) => (
            <li key={path}>
              {holds ? <IconCheck size={15} aria-label="Holds:" /> : <IconX size={15} aria-label="Does not hold:" />}
              <span>
                <Typed text={why} />
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}
