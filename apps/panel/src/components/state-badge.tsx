import type { ReactNode } from 'react';
import classes from './state-badge.module.css';

type Tone = 'good' | 'better' | 'quiet' | 'busy' | 'warn' | 'bad';

const TONES: Partial<Record<string, Tone>> = {
  accepted: 'busy',
  sending: 'busy',
  working: 'busy',
  uploading: 'busy',
  pending: 'busy',
  waiting: 'busy',
  scheduled: 'busy',
  held: 'warn',
  sent: 'good',
  confirmed: 'better',
  delivered: 'better',
  shown: 'better',
  opened: 'better',
  done: 'better',
  ok: 'better',
  dismissed: 'quiet',
  expired: 'warn',
  skipped: 'quiet',
  cancelled: 'quiet',
  unknown: 'warn',
  undelivered: 'bad',
  no_phone: 'warn',
  failed: 'bad',
};

/** The state of a message, a delivery, a fallback or a job: a word and a colour. `label` replaces the word. */
export function StateBadge({ state, label }: { state: string; label?: string }): ReactNode {
  return (
    <span className={classes.badge} data-tone={TONES[state] ?? 'quiet'}>
      <span className={classes.dot} aria-hidden />
      {label ?? state.replaceAll('_', ' ')}
    </span>
  );
}
