import { Button, Group, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ConflictNotice } from '../../components/conflict-notice';
import { formatAgo } from '../../components/format';
import { keepFocus } from '../../components/keep-focus';
import { Moment, useNow } from '../../components/moment';
import { Typed } from '../../components/typed';
import { draftName, draftOfStored, MAX_DRAFT_NAME, type MessageDraft } from '../../model/message-draft';
import classes from './compose.module.css';
import { newDraftId, useCompose } from './compose-context';
import type { Saving } from './use-saved-draft';

/** The name of the draft, its state of saving, and the version that another person has saved in the meantime. */
export function SavedDraftBar({
  saving,
  onTake,
}: {
  saving: Saving;
  /** Without a draft: an empty one. */
  onTake: (draft?: MessageDraft) => void;
}): ReactNode {
  const { draft, patch } = useCompose();
  return (
    <div className={classes.draftBar}>
      <Group gap="md" align="flex-end" wrap="wrap">
        <TextInput
          label="Name of the draft"
          placeholder={draftName({ ...draft, name: '' })}
          maxLength={MAX_DRAFT_NAME}
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

function Standing({ saving: { state, savedAt, theirs, error, flush } }: { saving: Saving }): ReactNode {
  const now = useNow(1_000);
  const words: Record<Saving['state'], ReactNode> = {
    blank: 'Nothing to save yet.',
    unsaved: 'Not saved yet …',
    saving: 'Saving …',
    saved: savedAt === null ? 'Saved.' : `Saved ${sayAgo(savedAt, now)}`,
    conflict: theirs === null ? 'Not saved: the draft is gone.' : 'Not saved: someone else has saved it.',
    failed: (
      <>
        It could not be saved
        {error === null ? (
          '.'
        ) : (
          <>
            : <Typed text={error.message} />.
          </>
        )}{' '}
        <Button size="compact-xs" variant="default" onClick={() => void flush().catch(() => undefined)}>
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

/** Names the place where somebody decides what becomes of a draft that others have changed. */
export const CONFLICT_ID = 'draft-conflict';

function Conflict({ saving, onTake }: { saving: Saving; onTake: (draft?: MessageDraft) => void }): ReactNode {
  const { state, theirs, keepMine } = saving;
  useEffect(() => (state === 'conflict' ? keepFocus : undefined), [state]);
  if (state !== 'conflict') return null;
  return (
    <ConflictNotice
      id={CONFLICT_ID}
      title={theirs === null ? 'This draft was sent or deleted' : 'Somebody else has saved this draft'}
    >
      {theirs !== null && (
        <>
          <Typed text={theirs.updatedBy} /> saved <Typed text={theirs.name} /> <Moment at={theirs.updatedAt} />.{' '}
        </>
      )}
      What you wrote since is here only. It can be sent once you have decided what to keep.
      <Group gap="sm" mt="sm">
        <Button
          size="xs"
          variant="default"
          onClick={() => onTake(theirs === null ? undefined : draftOfStored(theirs, newDraftId()))}
        >
          Discard my changes
        </Button>
        <Button size="xs" variant="default" onClick={keepMine}>
          Keep mine as a new draft
        </Button>
      </Group>
    </ConflictNotice>
  );
}
