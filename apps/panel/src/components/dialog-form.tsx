import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice';
import type { Form } from './use-form';

/** The form inside a dialog. */
export interface DialogFormProps {
  form: Pick<Form<object>, 'submit' | 'isPending' | 'error' | 'shownPaths'>;
  submitLabel: string;
  submitColor?: string;
  /** Not enough is filled in yet. */
  isDisabled?: boolean;
  errorTitle?: string;
  /** There is no button for it where the form stays useful after it was sent. */
  onCancel?: () => void;
  cancelLabel?: string;
  children: ReactNode;
}

/** Its fields, then what went wrong and stands at none of them, then the buttons. */
export function DialogForm(props: DialogFormProps): ReactNode {
  const { form, submitLabel, submitColor, isDisabled = false, errorTitle, children } = props;
  const { onCancel, cancelLabel = 'Cancel' } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) form.submit();
      }}
    >
      <Stack gap="md">
        {children}
        <ErrorNotice error={form.error} title={errorTitle} shownPaths={form.shownPaths} />
        <Group justify="flex-end" gap="sm">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
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
