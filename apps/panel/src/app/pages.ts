import type { Scope } from '@postrider/domain';
import type { Icon } from '@tabler/icons-react';
import { type ComponentType, createElement, lazy } from 'react';
import type { PanelSession } from '@postrider/contracts';
import {
  IconFilter,
  IconLayoutDashboard,
  IconLink,
  IconMessage,
  IconPencil,
  IconSend,
  IconSettings,
  IconSpeakerphone,
  IconTemplate,
  IconTicket,
  IconUpload,
  IconUsers,
} from '../components/icons';

/** A page of an application: its path below `/apps/<id>`, and its place in the navigation. */
export interface PanelPage {
  path: string;
  label: string;
  icon: Icon;
  group: 'send' | 'audience' | 'manage';
  /** Shown to sessions with one of these scopes; 'operator': to the operator alone. */
  scopes: readonly Scope[] | 'operator';
  page: ComponentType;
}

/** The pages in the order of the navigation. A page gets everything below its path: `/segments/…`. */
export const PAGES: readonly PanelPage[] = [
  {
    path: '/overview',
    label: 'Overview',
    icon: IconLayoutDashboard,
    group: 'send',
    scopes: ['read'],
    page: lazyPage(() => import('../pages/overview/overview-page'), 'OverviewPage'),
  },
  {
    path: '/compose',
    label: 'Compose',
    icon: IconSend,
    group: 'send',
    scopes: ['send'],
    page: lazyPage(() => import('../pages/compose/compose-page'), 'ComposePage'),
  },
  {
    path: '/drafts',
    label: 'Drafts',
    icon: IconPencil,
    group: 'send',
    scopes: ['send'],
    page: lazyPage(() => import('../pages/drafts/drafts-page'), 'DraftsPage'),
  },
  {
    path: '/templates',
    label: 'Templates',
    icon: IconTemplate,
    group: 'send',
    scopes: ['send', 'read'],
    page: lazyPage(() => import('../pages/templates/templates-page'), 'TemplatesPage'),
  },
  {
    path: '/messages',
    label: 'Messages',
    icon: IconMessage,
    group: 'send',
    scopes: ['read'],
    page: lazyPage(() => import('../pages/messages/messages-page'), 'MessagesPage'),
  },
  {
    path: '/campaigns',
    label: 'Campaigns',
    icon: IconSpeakerphone,
    group: 'send',
    scopes: ['read'],
    page: lazyPage(() => import('../pages/campaigns/campaigns-page'), 'CampaignsPage'),
  },
  {
    path: '/segments',
    label: 'Segments',
    icon: IconFilter,
    group: 'audience',
    scopes: ['read', 'send'],
    page: lazyPage(() => import('../pages/segments/segments-page'), 'SegmentsPage'),
  },
  {
    path: '/users',
    label: 'Users and devices',
    icon: IconUsers,
    group: 'audience',
    scopes: ['read'],
    page: lazyPage(() => import('../pages/users/users-page'), 'UsersPage'),
  },
  {
    path: '/import',
    label: 'Import devices',
    icon: IconUpload,
    group: 'audience',
    scopes: ['server'],
    page: lazyPage(() => import('../pages/import/import-page'), 'ImportPage'),
  },
  {
    path: '/promo',
    label: 'Promo codes',
    icon: IconTicket,
    group: 'manage',
    scopes: ['promo', 'read'],
    page: lazyPage(() => import('../pages/promo/promo-page'), 'PromoPage'),
  },
  {
    path: '/trackers',
    label: 'Trackers',
    icon: IconLink,
    group: 'manage',
    scopes: ['read'],
    page: lazyPage(() => import('../pages/trackers/trackers-page'), 'TrackersPage'),
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: IconSettings,
    group: 'manage',
    scopes: 'operator',
    page: lazyPage(() => import('../pages/settings/settings-page'), 'SettingsPage'),
  },
];

/** True if a session may see a page. */
export function isOpenTo({ scopes }: PanelPage, session: PanelSession): boolean {
  if (scopes === 'operator') return session.kind === 'operator';
  return session.scopes.includes('server') || scopes.some((scope) => session.scopes.includes(scope));
}

/** The code of a page could not be fetched. */
export class PageNotLoaded extends Error {}

/** What fetches the pages again that could not be fetched. */
const failures = new Set<() => void>();

/** Lets every page that could not be fetched be fetched when it is shown next: React keeps the failure of a page for good. */
export function forgetFailures(): void {
  failures.forEach((renew) => renew());
  failures.clear();
}

/** A page that is fetched when it is first shown: `lazyPage(() => import('../pages/x/x-page'), 'XPage')`. */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  const fetched = async (): Promise<{ default: ComponentType }> => {
    try {
      return { default: (await load())[name] };
    } catch (error) {
      failures.add(renew);
      throw new PageNotLoaded((error as Error).message);
    }
  };
  let page = lazy(fetched);
  const renew = (): void => {
    page = lazy(fetched);
  };
  return () => createElement(page);
}
