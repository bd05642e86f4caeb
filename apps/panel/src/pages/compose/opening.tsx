import { Button, Group, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import type { DraftResponse } from '@postrider/server/document';
import { useApi, useAppId } from '../../api/client';
import { useRead } from '../../api/reading';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeader } from '../../components/page-header';
import { Typed } from '../../components/typed';
import { copyOfMessage } from '../../model/copy-message';
import { draftName, draftOfStored, isBlank, isStored, type MessageDraft, newMessage } from '../../model/message-draft';
import { draftOfTemplate } from '../../model/template-form';
import { newDraftId, useKeptDraft } from './compose-context';
import { storeOrKeepMine } from './store-draft';

/** The start of the compose page; null: the draft that was written in this tab. */
export type Start = MessageDraft | null;

/** What must be read before the page can begin. */
export interface Source {
  kind: 'draft' | 'copy' | 'template';
  id: string;
}

const SOURCES = ['copy', 'draft', 'template'] as const;

/** Returns what the address asks for: a source that is read first, or a message with some fields filled in. */
export function startOf(words: URLSearchParams): { source: Source } | { start: Start } {
  for (const kind of SOURCES) {
    const id = words.get(kind);
    if (id !== null) return { source: { kind, id } };
  }
  if (words.get('new') !== null) return { start: newMessage(newDraftId()) };
  const [segmentId, user, trackId] = [words.get('segment'), words.get('user'), words.get('trackId')];
  const empty = { ...newMessage(newDraftId()), trackId: trackId ?? '' };
  if (segmentId !== null) return { start: { ...empty, audience: { ...empty.audience, kind: 'saved', segmentId } } };
  if (user !== null) return { start: { ...empty, audience: { ...empty.audience, kind: 'users', users: user } } };
  return { start: trackId === null ? null : empty };
}

/**
 * Before another message takes its place: saves the message that was written in this tab and is not saved yet, and says
 * so if it became a draft of its own.
 */
export function Unsaved({
  kept,
  onDone,
}: {
  kept: MessageDraft;
  onDone: (what: 'saved' | 'continue') => void;
}): ReactNode {
  const api = useApi();
  const saving = useQuery({
    queryKey: [useAppId(), 'drafts', 'unsaved', kept.draftId],
    queryFn: async () => ({ name: await storeOrKeepMine(api, kept) }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const { data } = saving;
  useEffect(() => {
    if (data === undefined) return;
    if (data.name !== null) notifications.show({ message: `What you wrote is kept as the draft “${data.name}”.` });
    onDone('saved');
    // Runs once.
  }, [data]);
  if (saving.error === null) {
    return <Skeleton height={400} radius="lg" role="status" aria-label="Saving the former message" />;
  }
  return (
    <>
      <PageHeader title="Compose" back={{ href: '/drafts', label: 'Drafts' }} />
      <ErrorNotice
        error={saving.error}
        title="A message that was written in this tab could not be saved"
        onRetry={() => saving.refetch()}
      />
      <Group gap="sm" mt="md">
        <Text size="sm" component="div">
          It is <Typed text={draftName(kept)} />, and it is here only.
        </Text>
        <Button variant="default" onClick={() => onDone('continue')}>
          Go on with it
        </Button>
        <Button variant="default" onClick={() => onDone('saved')}>
          Discard it
        </Button>
      </Group>
    </>
  );
}

/** True if a message that was written in this tab is lost when another one takes its place. */
export function isOnlyHere(kept: MessageDraft): boolean {
  return !isBlank(kept) && !isStored(kept);
}

/** Reads the start of the page once, and says so meanwhile. */
export function Opening({ source, onRead }: { source: Source; onRead: (start: Start) => void }): ReactNode {
  const { kind, id } = source;
  const kept = useKeptDraft();
  const isHere = kind === 'draft' && kept.saved?.id === id;
  const params = { path: { id } };
  const message = useRead('/api/push/messages/{id}', { params, enabled: kind === 'copy' });
  const draft = useRead('/api/drafts/{id}', { params, enabled: kind === 'draft' });
  const template = useRead('/api/templates/{id}', { params, enabled: kind === 'template' });
  const asked = { copy: message, draft, template }[kind];
  // Content that is here stays if it cannot be read any more.
  const error = isHere ? null : asked.error;
  const isRead = !asked.isFetching && (asked.data !== undefined || (isHere && asked.error !== null));
  useEffect(() => {
    if (!isRead) return;
    if (message.data) onRead(copyOfMessage(message.data, newDraftId()));
    else if (template.data) onRead(draftOfTemplate(template.data, newDraftId()));
    else onRead(draft.data === undefined || isNewer(kept, draft.data) ? null : draftOfStored(draft.data, newDraftId()));
    // Runs once: later readings return the content that was saved from here.
  }, [isRead]);
  if (error === null || asked.isFetching) {
    return <Skeleton height={400} radius="lg" role="status" aria-label="Reading the message" />;
  }
  return (
    <>
      <PageHeader title="Compose" back={{ href: '/drafts', label: 'Drafts' }} />
      <ErrorNotice error={error} title="It could not be opened" onRetry={() => asked.refetch()} />
    </>
  );
}

/** True if what was written in this tab is the draft, as it was saved last or with words that are not saved yet. */
function isNewer(kept: MessageDraft, { id, revision }: DraftResponse): boolean {
  return kept.saved?.id === id && (!isStored(kept) || kept.saved.revision >= revision);
}
