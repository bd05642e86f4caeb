import { Modal, type ModalProps, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { ErrorNotice } from './error-notice';
import { keepFocus, submitAndFocus } from './keep-focus';
import type { Form } from './use-form';

/** A window over the page. */
export interface DialogProps {
  isOpen: boolean;
  title: string;
  size?: ModalProps['size'];
  /** Only a button inside closes it: neither Escape, nor a click beside it, nor a cross. */
  isLocked?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Shows its content while it is open; the content starts afresh each time. Once something is entered, a click beside it does not close
 * it: the second click of a fast double click falls there when the form becomes shorter, and everything entered would be lost.
 */
export function Dialog(props: DialogProps): ReactNode {
  const { isOpen, title, size = 'md', isLocked = false, onClose, children } = props;
  // What it asks about may be gone with its answer, and the dialog with it.
  useEffect(() => (isOpen ? keepFocus : undefined), [isOpen]);
  const [isWritten, setWritten] = useState(false);
  useEffect(() => setWritten(false), [isOpen]);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={!isLocked && !isWritten}
      closeOnEscape={!isLocked}
      withCloseButton={!isLocked}
      onExitTransitionEnd={keepFocus}
    >
      {isOpen && <div onInput={() => setWritten(true)}>{children}</div>}
    </Modal>
  );
}

/** The form inside a dialog. */
interface DialogFormProps {
  form: Pick<Form<object>, 'submit' | 'isPending' | 'error' | 'shownPaths'>;
  submitLabel: string;
  submitColor?: string;
  /** Not enough is filled in yet. */
  isDisabled?: boolean;
  /** True if there is nothing to fill in: Enter without looking leaves everything as it is. */
  isQuestion?: boolean;
  errorTitle?: string;
  /** It has no button for it if the form stays useful after it was sent. */
  onCancel?: () => void;
  cancelLabel?: string;
  children: ReactNode;
}

/** Shows its fields, then errors that belong to none of them, then the buttons. */
export function DialogForm(props: DialogFormProps): ReactNode {
  const { form, submitLabel, submitColor, isDisabled = false, isQuestion = false, errorTitle, children } = props;
  const { onCancel, cancelLabel = 'Cancel' } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) submitAndFocus(event, form.submit);
      }}
    >
      <Stack gap="md">
        {children}
        <ErrorNotice
          error={form.error}
          title={errorTitle}
          shownPaths={form.shownPaths}
          dialog={isQuestion ? 'question' : 'form'}
        />
        <Group justify="flex-end" gap="sm">
          {onCancel && (
            <Button variant="default" onClick={onCancel} data-autofocus={isQuestion || undefined}>
              {cancelLabel}
            </Button>
          )}
          <Button type="submit" color={submitColor} loading={form.isPending} disabled={isDisabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
