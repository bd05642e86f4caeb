import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle } from './icons';
import { focusIfNowhere } from './keep-focus';

/**
 * Somebody else has changed what is written here, and the reader decides what to keep.
 *
 * @param props `id`: where the focus is moved to; `takesFocus`: it takes the focus if that is nowhere
 */
export function ConflictNotice(props: {
  title: string;
  id?: string;
  takesFocus?: boolean;
  children: ReactNode;
}): ReactNode {
  const { title, id, takesFocus = false, children } = props;
  return (
    <Alert
      ref={takesFocus ? focusIfNowhere : null}
      id={id}
      tabIndex={-1}
      color="amber"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      role="alert"
    >
      {children}
    </Alert>
  );
}

/** Another person has deleted what is changed here. Saving makes a new one of what is written. */
export function DeletedNotice({ noun }: { noun: string }): ReactNode {
  return (
    <ConflictNotice title={`Somebody else has deleted this ${noun}`}>
      What you wrote is here only. Save it to make a new {noun} of it.
    </ConflictNotice>
  );
}
