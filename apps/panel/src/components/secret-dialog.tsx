import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog, type DialogProps } from './dialog';
import { IconKey } from './icons';
import { CopyButton } from './copy-button';
import classes from './secret-once.module.css';

/** A secret and its purpose. */
export interface ShownSecret {
  label: string;
  value: string;
  hint?: string;
}

/** A dialog that makes something with secrets that are shown this once. */
interface SecretDialogProps<Made> extends Pick<DialogProps, 'isOpen' | 'title' | 'size'> {
  /** Its title once the secrets stand in it. */
  madeTitle: string;
  /** What to know about the secrets. */
  about: string;
  secrets: (made: Made) => readonly ShownSecret[];
  savedLabel: string;
  /** The next step. */
  next?: string;
  /** The form that makes it. */
  form: (onMade: (made: Made) => void) => ReactNode;
  onClose: () => void;
  /** Runs when the person has said, with the button, that they saved the secrets. */
  onSaved?: (made: Made) => void;
}

/**
 * Shows the form, then the secrets of what it made, until the person says that they have saved them: nothing else
 * closes it. A person who closes the form while the request is under way also gets to see the secrets.
 */
export function SecretDialog<Made>(props: SecretDialogProps<Made>): ReactNode {
  const { isOpen, title, madeTitle, size, form, onClose, onSaved } = props;
  const [made, setMade] = useState<{ what: Made } | null>(null);
  const close = (): void => {
    setMade(null);
    onClose();
    if (made !== null) onSaved?.(made.what);
  };
  return (
    <Dialog
      isOpen={isOpen || made !== null}
      title={made === null ? title : madeTitle}
      size={size}
      isLocked={made !== null}
      onClose={close}
    >
      {made === null ? form((what) => setMade({ what })) : <Secrets {...props} made={made.what} onDone={close} />}
    </Dialog>
  );
}

function Secrets<Made>(props: SecretDialogProps<Made> & { made: Made; onDone: () => void }): ReactNode {
  const { about, secrets, made, savedLabel, next, onDone } = props;
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />}>
        {about}
      </Alert>
      {secrets(made).map((secret, place) => (
        <SecretOnce key={secret.label} {...secret} isFirst={place === 0} />
      ))}
      <Group justify={next === undefined ? 'flex-end' : 'space-between'}>
        {next !== undefined && (
          <Text size="sm" c="dimmed">
            {next}
          </Text>
        )}
        <Button onClick={onDone}>{savedLabel}</Button>
      </Group>
    </Stack>
  );
}

/**
 * A secret that is shown this once, with a button that copies it. The form that had the focus is gone: the first of
 * these buttons takes it.
 */
function SecretOnce({ label, value, hint, isFirst }: ShownSecret & { isFirst: boolean }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <div className={classes.box}>
        <code className={classes.value}>{value}</code>
        <CopyButton value={value} label={`Copy the ${label.toLowerCase()}`} hasFocus={isFirst} />
      </div>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {hint}
        </Text>
      )}
    </div>
  );
}
