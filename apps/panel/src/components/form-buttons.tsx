import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** What stands at the end of a form in a dialog: away from it, or do it. */
export function FormButtons(props: {
  submitLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  onCancel: () => void;
}): ReactNode {
  const { submitLabel, isBusy, isDisabled = false, onCancel } = props;
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={isBusy} disabled={isDisabled}>
        {submitLabel}
      </Button>
    </Group>
  );
}
