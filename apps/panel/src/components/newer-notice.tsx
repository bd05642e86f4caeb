import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ConflictNotice } from './conflict-notice';
import { keepFocus } from './keep-focus';

/** The two ways on for a person whose changes are based on an older state. */
export interface NewerChoice {
  /** Discards what was written here. */
  onTake: () => void;
  /** Keeps what was written here, to be saved over theirs. */
  onKeep: () => void;
}

/** Another person has saved a newer state of what is changed here. The reader keeps or discards their own changes. */
export function NewerNotice(props: NewerChoice & { title: string; children: ReactNode }): ReactNode {
  const { title, children, onTake, onKeep } = props;
  // The buttons are gone with the decision.
  useEffect(() => keepFocus, []);
  return (
    <ConflictNotice title={title} takesFocus>
      {children}
      <Group gap="sm" mt="sm">
        <Button size="xs" variant="default" onClick={onTake}>
          Discard my changes
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          Keep my changes
        </Button>
      </Group>
    </ConflictNotice>
  );
}
