import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle } from '../../components/icons';
import { formatAgo } from '../../components/format';
import { Moment, useNow } from '../../components/moment';
import { Typed } from '../../components/typed';
import { draftName, draftOfStored, type MessageDraft } from '../../model/message-draft';
import classes from './compose.module.css';
import { newDraftId, useCompose } from './compose-context';
import type { Saving } from './use-saved-draft';

/** The name of the draft, its state of saving, and the version that another person has saved in the meantime. */
export function SavedDraftBar({
  saving,
  onTake,
}: {
  saving: Saving;
  onTake: (draft: MessageDraft) => void;
}): ReactNode {
  const { draft, patch } = useCompose();
  return (
    <div className={classes.draftBar}>
      <Group gap="md" align="flex-end" wrap="wrap">
        <TextInput
          label="Name of the draft"
          placeholder={draftName({ ...draft, name: '' })}
          maxLength={80}
          className={classes.draftName}
          value={draft.name}
          onChange={({ currentTarget }) => patch({ name: currentTarget.value })}
        />
        <Standing saving={saving} />
      </Group>
      <Conflict saving={saving} onTake={onTake} />
    </div>
  );
}

function Standing({ saving: { state, savedAt, flush } }: { saving: Saving }): ReactNode {
  const now = useNow(1_000);
  const words: Record<Saving['state'], ReactNode> = {
    blank: 'Nothing to save yet.',
    unsaved: 'Not saved yet …',
    saving: 'Saving …',
    saved: savedAt === null ? 'Saved.' : `Saved ${sayAgo(savedAt, now)}`,
    conflict: 'Not saved: someone else has saved it.',
    failed: (
      <>
        It could not be saved.{' '}
        <Button size="compact-xs" variant="default" onClick={() => void flush()}>
          Save again
        </Button>
      </>
    ),
  };
  // The seconds that pass are not told to screen readers.
  return (
    <Text size="sm" c="dimmed" component="div" className={classes.standing}>
      <span role="status" aria-live={state === 'failed' || state === 'conflict' ? 'polite' : 'off'}>
        {words[state]}
      </span>
    </Text>
  );
}

function sayAgo(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  return seconds < 60 ? `${seconds} s ago` : formatAgo(new Date(at), now);
}

function Conflict({ saving, onTake }: { saving: Saving; onTake: (draft: MessageDraft) => void }): ReactNode {
  const { state, theirs, keepMine } = saving;
  if (state !== 'conflict' || theirs === null) return null;
  return (
    <Alert
      color="amber"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Somebody else has saved this draft"
      role="alert"
    >
      <Typed text={theirs.updatedBy} /> saved <Typed text={theirs.name} /> <Moment at={theirs.updatedAt} />. What you
      wrote since is here only.
      <Group gap="sm" mt="sm">
        <Button size="xs" variant="default" onClick={() => onTake(draftOfStored(theirs, newDraftId()))}>
          Discard my changes
        </Button>
        <Button size="xs" variant="default" onClick={keepMine}>
          Keep mine as a new draft
        </Button>
      </Group>
    </Alert>
  );
}
