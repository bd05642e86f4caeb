import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { asApiError } from '../api/api-error';
import { signOut, useSession } from '../api/session';
import {
  IconApi,
  IconApps,
  IconBook,
  IconExternalLink,
  IconLogout,
  IconStack,
  IconCheck,
  IconChevronDown,
  IconDeviceDesktop,
  IconMoon,
  IconSun,
} from '../components/icons';
import { Mark } from './mark';
import classes from './navigation.module.css';
import { isOpenTo, PAGES } from './pages';
import { Menu, UnstyledButton, VisuallyHidden, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useAdminRead } from '../api/reading';
import { adviceFor } from '../components/error-notice';
import { initialOf } from '../components/format';
import { Typed } from '../components/typed';

const GROUPS = [
  { group: 'send', label: 'Sending' },
  { group: 'audience', label: 'Audience' },
  { group: 'manage', label: 'Running' },
] as const;

/** The application that is shown, and every page of it that this session may see. */
export function Navigation({ appId }: { appId: string | null }): ReactNode {
  const session = useSession();
  const pages = appId === null ? [] : PAGES.filter((page) => isOpenTo(page, session));
  return (
    <div className={classes.navigation}>
      <div className={classes.mark}>
        <Mark />
      </div>
      <ApplicationSwitcher appId={appId} />
      {GROUPS.map(({ group, label }) => {
        const own = pages.filter((page) => page.group === group);
        if (own.length === 0) return null;
        return (
          <div key={group} role="group" aria-label={label}>
            <div className={classes.group} aria-hidden>
              {label}
            </div>
            {own.map(({ path, label: name, icon: Sign }) => (
              <Entry key={path} path={path} name={name} icon={<Sign size={18} stroke={1.7} aria-hidden />} />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** What is the same on every page: the operator's pages, the way out, the colours. */
export function NavigationFoot(): ReactNode {
  const session = useSession();
  const client = useQueryClient();
  const leaving = useMutation({ mutationFn: () => signOut(client), onError: sayStillSignedIn });
  return (
    <div className={classes.foot}>
      {session.kind === 'operator' && (
        <>
          <Link href="~/panel/applications" className={classes.entry}>
            <IconApps size={18} stroke={1.7} aria-hidden />
            Applications
          </Link>
          <Outside href="/queues" icon={<IconStack size={18} stroke={1.7} aria-hidden />}>
            Queues
          </Outside>
        </>
      )}
      <Outside href="/guide" icon={<IconBook size={18} stroke={1.7} aria-hidden />}>
        Guide
      </Outside>
      {session.mayReadDocs && (
        <Outside href="/docs" icon={<IconApi size={18} stroke={1.7} aria-hidden />}>
          API reference
        </Outside>
      )}
      <button type="button" className={classes.entry} onClick={() => leaving.mutate()}>
        <IconLogout size={18} stroke={1.7} aria-hidden />
        Sign out
      </button>
      <ColorSchemeSwitch />
    </div>
  );
}

/** Whoever leaves a machine that others use must not believe that nobody can go on in their session. */
function sayStillSignedIn(error: Error): void {
  const failure = asApiError(error);
  notifications.show({
    color: 'red',
    title: 'You are still signed in',
    message: `${failure.message}. ${adviceFor(failure)}`,
    autoClose: false,
    role: 'alert',
  });
}

function Entry({ path, name, icon }: { path: string; name: string; icon: ReactNode }): ReactNode {
  const [location] = useLocation();
  const isHere = location === path || location.startsWith(`${path}/`);
  return (
    <Link href={path} className={classes.entry} aria-current={isHere ? 'page' : undefined}>
      {icon}
      {name}
    </Link>
  );
}

function Outside({ href, icon, children }: { href: string; icon: ReactNode; children: string }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={classes.entry}>
      {icon}
      {children}
      <IconExternalLink size={14} className={classes.outside} aria-label="opens a new tab" />
    </a>
  );
}

/** The application that is shown; the operator can choose another. */
function ApplicationSwitcher({ appId }: { appId: string | null }): ReactNode {
  const session = useSession();
  if (session.kind === 'application') return <Name appId={session.appId} name={session.appId} />;
  return <Choice appId={appId} />;
}

function Choice({ appId }: { appId: string | null }): ReactNode {
  const applications = useAdminRead('/api/admin/apps');
  const [, navigate] = useLocation();
  const shown = applications.data?.find(({ id }) => id === appId);
  const isNameUnread = appId !== null && applications.isPending;
  return (
    <Menu position="bottom-start" width="target" shadow="md" radius="md" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.switcher}>
          <VisuallyHidden>Application:</VisuallyHidden>
          <Name appId={appId} name={isNameUnread ? null : (shown?.name ?? appId ?? 'All applications')} />
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.applications}>
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

/** @param props.name null: it is not read yet. It has its line already, so that nothing below moves when it arrives. */
function Name({ appId, name }: { appId: string | null; name: string | null }): ReactNode {
  return (
    <span className={classes.application}>
      <span className={classes.applicationInitial} aria-hidden>
        {name !== null && initialOf(name)}
      </span>
      <span className={classes.applicationWords}>
        {name === null ? <span aria-hidden>&nbsp;</span> : <Typed text={name} lines={2} />}
        {appId !== null && appId !== name && <span className={classes.applicationId}>{appId}</span>}
      </span>
    </span>
  );
}

const CHOICES = [
  { value: 'light', name: 'Light', icon: IconSun },
  { value: 'auto', name: 'System', icon: IconDeviceDesktop },
  { value: 'dark', name: 'Dark', icon: IconMoon },
] as const;

/** Light, dark, or the setting of the machine. */
function ColorSchemeSwitch(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      className={classes.colorScheme}
      fullWidth
      size="xs"
      aria-label="Colours"
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
      data={CHOICES.map(({ value, name, icon: Sign }) => ({
        value,
        label: (
          <>
            <Sign size={15} aria-hidden className={classes.colorSchemeSign} />
            <VisuallyHidden>{name}</VisuallyHidden>
          </>
        ),
      }))}
    />
  );
}
