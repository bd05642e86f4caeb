import { Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button';
import { Dialog, DialogForm } from './dialog';
import { Typed } from './typed';
import { useForm } from './use-form';

/** A question before something that cannot be undone. */
interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** The button that leaves everything as it is. */
  keepLabel?: string;
  /** The text that must be typed before the button works. */
  typed?: string;
  /** A failure is shown in the dialog, which stays open; otherwise it closes. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks, acts, and shows the result. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={props.title}>
      <Question {...props} />
    </Dialog>
  );
}

function Question(props: ConfirmDialogProps): ReactNode {
  const { children, confirmLabel, keepLabel, typed, onConfirm, onClose } = props;
  const form = useForm({
    initial: { answer: '' },
    fields: () => [],
    save: onConfirm,
    changes: [],
    onDone: onClose,
  });
  return (
    <DialogForm
      form={form}
      submitLabel={confirmLabel}
      submitColor="red"
      isQuestion={typed === undefined}
      isDisabled={typed !== undefined && form.values.answer !== typed}
      cancelLabel={keepLabel}
      onCancel={onClose}
    >
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
          {...form.text('answer')}
          autoComplete="off"
          rightSection={<CopyButton value={typed} label="Copy what to type" />}
          data-autofocus
        />
      )}
    </DialogForm>
  );
}
