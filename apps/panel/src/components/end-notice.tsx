import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertCircle, IconCircleCheck } from './icons';

const COLOURS = { done: 'pine', failed: 'red', stopped: 'gray' };

/** How something that took its time has ended. */
export function EndNotice(props: { kind: keyof typeof COLOURS; title: string; children: ReactNode }): ReactNode {
  const { kind, title, children } = props;
  const isDone = kind === 'done';
  return (
    <Alert
      color={COLOURS[kind]}
      variant="light"
      icon={isDone ? <IconCircleCheck aria-hidden /> : <IconAlertCircle aria-hidden />}
      title={title}
      role={isDone ? 'status' : 'alert'}
    >
      {children}
    </Alert>
  );
}
