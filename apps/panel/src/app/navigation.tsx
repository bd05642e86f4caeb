import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut, useSession } from '../api/session';
import { IconApi, IconApps, IconExternalLink, IconLogout, IconStack } from '../components/icons';
import { ApplicationSwitcher } from './application-switcher';
import { ColorSchemeSwitch } from './color-scheme-switch';
import { Mark } from './mark';
import classes from './navigation.module.css';
import { isOpenTo, PAGES } from './pages';

const GROUPS = [
  { group: 'send', label: 'Sending' },
  { group: 'audience', label: 'Audience' },
  { group: 'manage', label: 'Running' },
] as const;

/** Every page that this session may see, the application that is shown, and the way out. */
export function Navigation({ appId }: { appId: string | null }): ReactNode {
  const session = useSession();
  const client = useQueryClient();
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
        {session.mayReadDocs && (
          <Outside href="/docs" icon={<IconApi size={18} stroke={1.7} aria-hidden />}>
            API reference
          </Outside>
        )}
        <button type="button" className={classes.entry} onClick={() => void signOut(client)}>
          <IconLogout size={18} stroke={1.7} aria-hidden />
          Sign out
        </button>
        <ColorSchemeSwitch />
      </div>
    </div>
  );
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
