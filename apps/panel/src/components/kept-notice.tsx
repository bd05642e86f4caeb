import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconInfoCircle } from './icons';
import { keepFocus } from './keep-focus';

/** Says that a form holds what was written before it was left, and lets the reader discard that. */
export function KeptNotice({ onDiscard }: { onDiscard: () => void }): ReactNode {
  const discard = (): void => {
    onDiscard();
    // The button is gone with what it discards.
    requestAnimationFrame(keepFocus);
  };
  return (
    <Alert color="sky" variant="light" icon={<IconInfoCircle aria-hidden />} role="status">
      <Group gap="sm" justify="space-between">
        You wrote this before you left the page. It is not saved.
        <Button size="xs" variant="default" onClick={discard}>
          Discard my changes
        </Button>
      </Group>
    </Alert>
  );
}
