import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { OverviewResponse } from '@postrider/server/document';
import { useSession } from '../../api/session';
import { IconCheck } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import classes from './overview-page.module.css';

/** The steps that are left before the first message arrives. */
export function FirstSteps({ steps }: { steps: OverviewResponse['steps'] }): ReactNode {
  const { kind, mayReadDocs } = useSession();
  const list = [
    {
      isDone: steps.hasVendor,
      title: 'Connect a vendor',
      hint: 'Postrider needs the credentials of FCM, APNs, Huawei or Web Push to send to phones and browsers.',
      action: kind === 'operator' && { href: '/settings/vendors', label: 'Connect' },
    },
    {
      isDone: steps.hasDevice,
      title: 'Register a device',
      hint: 'Your app calls POST /api/installations with the client token at every start.',
      action: mayReadDocs && { href: '~/docs', label: 'See how' },
    },
    {
      isDone: steps.hasMessage,
      title: 'Send a message',
      hint: 'Send it to one user first, and check that it arrives.',
      action: { href: '/compose', label: 'Compose' },
    },
  ];
  return (
    <SectionCard title="First steps">
      <ol className={classes.steps}>
        {list.map(({ isDone, title, hint, action }, n) => (
          <li key={title} className={classes.step} data-done={isDone || undefined}>
            <span className={classes.number} aria-hidden>
              {isDone ? <IconCheck size={18} /> : n + 1}
            </span>
            <div>
              <p>
                <strong>{title}</strong> {isDone && <span className={classes.stepHint}>– done</span>}
              </p>
              {!isDone && <p className={classes.stepHint}>{hint}</p>}
            </div>
            {!isDone && action && <div className={classes.stepAction}>{button(action)}</div>}
          </li>
        ))}
      </ol>
    </SectionCard>
  );
}

function button({ href, label }: { href: string; label: string }): ReactNode {
  if (href.startsWith('~')) {
    return (
      <Button component="a" href={href.slice(1)} target="_blank" rel="noreferrer" variant="light" size="sm">
        {label}
      </Button>
    );
  }
  return (
    <Button component={Link} href={href} variant="light" size="sm">
      {label}
    </Button>
  );
}
