import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useAdminRead } from '../api/reading';
import { useSession } from '../api/session';
import { IconApps, IconCheck, IconChevronDown } from '../components/icons';
import { Typed } from '../components/typed';
import classes from './application-switcher.module.css';

/** The application that is shown; the operator can choose another. */
export function ApplicationSwitcher({ appId }: { appId: string | null }): ReactNode {
  const session = useSession();
  if (session.kind === 'application') return <Name appId={session.appId} name={session.appId} />;
  return <Choice appId={appId} />;
}

function Choice({ appId }: { appId: string | null }): ReactNode {
  const applications = useAdminRead('/api/admin/apps');
  const [, navigate] = useLocation();
  const shown = applications.data?.find(({ id }) => id === appId);
  return (
    <Menu position="bottom-start" width="target" shadow="md" radius="md" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <VisuallyHidden>Application:</VisuallyHidden>
          <Name appId={appId} name={shown?.name ?? appId ?? 'All applications'} />
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.list}>
        {applications.data?.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => navigate(`~/panel/apps/${id}`)}
            rightSection={id === appId ? <IconCheck size={16} aria-label="shown" /> : undefined}
          >
            <Typed text={name} lines={1} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconApps size={16} aria-hidden />} onClick={() => navigate('~/panel/applications')}>
          All applications
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Name({ appId, name }: { appId: string | null; name: string }): ReactNode {
  return (
    <span className={classes.name}>
      <span className={classes.initial} aria-hidden>
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={classes.words}>
        <Typed text={name} lines={2} />
        {appId !== null && appId !== name && <span className={classes.id}>{appId}</span>}
      </span>
    </span>
  );
}
