import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { CopyButton } from './copy-button';
import { ErrorNotice } from './error-notice';
import { Typed } from './typed';

/** A question before something that cannot be undone. */
export interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** The button that leaves everything as it is. */
  keepLabel?: string;
  /** What has to be typed before the button works. */
  typed?: string;
  /** A failure is shown in the dialog, which stays open; otherwise it closes. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks, does it, and shows what came of it. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
      {props.isOpen && <Question {...props} />}
    </Modal>
  );
}

function Question(props: ConfirmDialogProps): ReactNode {
  const { children, confirmLabel, keepLabel = 'Cancel', typed, onConfirm, onClose } = props;
  const [text, setText] = useState('');
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isHeld = typed !== undefined && text !== typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isHeld) doing.mutate();
      }}
    >
      <Stack gap="md">
        <Text component="div" size="sm">
          {children}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={
              <>
                Type <Typed text={typed} isMono /> to confirm
              </>
            }
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            autoComplete="off"
            rightSection={<CopyButton value={typed} label="Copy what to type" />}
            data-autofocus
          />
        )}
        <ErrorNotice error={doing.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {keepLabel}
          </Button>
          <Button type="submit" color="red" loading={doing.isPending} disabled={isHeld}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
