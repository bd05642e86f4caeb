import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AttentionResponse } from '@postrider/server/document';
import { useSession } from '../../api/session';
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '../../components/icons';
import { Moment } from '../../components/moment';
import { Typed } from '../../components/typed';
import classes from './overview-page.module.css';

const WHERE: Record<AttentionResponse['kind'], { href: string; label: string; isForOperators: boolean }> = {
  no_vendor: { href: '/settings/vendors', label: 'Connect one', isForOperators: true },
  credentials: { href: '/settings/vendors', label: 'See vendors', isForOperators: true },
  breaker: { href: '/settings/vendors', label: 'See vendors', isForOperators: true },
  quarantine: { href: '/settings/vendors', label: 'Decide', isForOperators: true },
  promo: { href: '/promo', label: 'Upload codes', isForOperators: false },
  lag: { href: '~/queues', label: '', isForOperators: true },
  webhooks: { href: '/settings/webhooks', label: 'See webhooks', isForOperators: true },
  identity_key: { href: '/settings/application', label: 'Rotate it', isForOperators: true },
};

/** The matters that need attention, the worst first; or that there are none. */
export function Attention({ notices }: { notices: readonly AttentionResponse[] }): ReactNode {
  const { kind: who } = useSession();
  if (notices.length === 0) {
    return (
      <div className={classes.fine}>
        <IconCircleCheck size={18} color="var(--mantine-color-pine-5)" aria-hidden /> Nothing needs your attention.
      </div>
    );
  }
  return (
    <ul className={classes.notices} aria-label="Needs attention">
      {notices.map(({ kind, severity, since, message }, n) => {
        const { href, label, isForOperators } = WHERE[kind];
        const Sign = severity === 'error' ? IconAlertCircle : IconAlertTriangle;
        return (
          <li key={n} className={classes.notice} data-severity={severity}>
            <Sign size={18} aria-label={severity} />
            <div className={classes.noticeWords}>
              <Typed text={message} />
              {since !== null && (
                <div className={classes.since}>
                  since <Moment at={since} />
                </div>
              )}
            </div>
            {label !== '' && (!isForOperators || who === 'operator') && (
              <Anchor component={Link} href={href} size="sm" py={4}>
                {label}
              </Anchor>
            )}
          </li>
        );
      })}
    </ul>
  );
}
