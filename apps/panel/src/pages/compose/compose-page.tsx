import { Button, Grid, Skeleton, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error';
import { useAppId } from '../../api/application';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { useWords } from '../../api/use-words';
import { formatNoun } from '../../components/format';
import { PageHeader } from '../../components/page-header';
import { placeProblems } from '../../model/api-problems';
import { copyOf } from '../../model/copy-message';
import { isCampaign, type MessageDraft, newMessage } from '../../model/message-draft';
import { problemsOf } from '../../model/message-problems';
import { requestsOf } from '../../model/message-requests';
import { AudienceSection } from './audience-section';
import classes from './compose.module.css';
import { type Compose, ComposeContext, useCompose } from './compose-context';
import { ContentSection } from './content-section';
import { DeliverySection } from './delivery-section';
import { MoreSection } from './more-section';
import { Preview } from './preview';
import { PromoHint } from './promo-hint';
import type { Sent } from './send-requests';
import { SummaryCard } from './summary-card';
import { TestSend } from './test-send';
import { newDraftId, useDraft } from './use-draft';
import { useSending } from './use-sending';

/** Writes a message and sends it. */
export function ComposePage(): ReactNode {
  const [words] = useWords();
  const copied = words.get('copy');
  const original = useRead('/api/push/messages/{id}', {
    params: { path: { id: copied ?? '' } },
    enabled: copied !== null,
  });
  if (copied !== null && original.isPending)
    return <Skeleton height={400} radius="lg" role="status" aria-label="Reading the message" />;
  const start =
    copied !== null && original.data
      ? copyOf(original.data.content, original.data.channel, newDraftId())
      : startFrom({ segmentId: words.get('segment'), user: words.get('user'), trackId: words.get('trackId') });
  return <Composer start={start} />;
}

/** What the address asks for: a saved segment, a user, a campaign that was planned. */
function startFrom(asked: Record<'segmentId' | 'user' | 'trackId', string | null>): MessageDraft | null {
  const { segmentId, user, trackId } = asked;
  const empty = { ...newMessage(newDraftId()), trackId: trackId ?? '' };
  if (segmentId !== null) return { ...empty, audience: { ...empty.audience, kind: 'saved', segmentId } };
  if (user !== null) return { ...empty, audience: { ...empty.audience, kind: 'users', users: user } };
  return trackId === null ? null : empty;
}

function Composer({ start }: { start: MessageDraft | null }): ReactNode {
  const { draft, patch, startAnew } = useDraft(useAppId());
  const [fileUsers, setFileUsers] = useState<readonly string[] | null>(null);
  const [marksAll, setMarksAll] = useState(false);
  const page = useRef<HTMLDivElement>(null);
  useStart(start, startAnew);
  const problems = useMemo(() => problemsOf(draft, fileUsers, new Date()), [draft, fileUsers]);
  const isReady = Object.keys(problems).length === 0;
  const requests = useMemo(() => (isReady ? requestsOf(draft, fileUsers ?? []) : null), [isReady, draft, fileUsers]);
  const clear = (): void => {
    startAnew();
    setFileUsers(null);
    setMarksAll(false);
  };
  const leave = useLeaving(draft);
  const sending = useSending(requests, (sent) => {
    clear();
    leave(sent);
  });
  const placed = useMemo(
    () => placeProblems(draft, sending.error instanceof ApiError ? sending.error.details : []),
    [draft, sending.error],
  );
  const compose: Compose = {
    draft,
    patch,
    problems,
    marksAll,
    fileUsers,
    setFileUsers,
    problemAt: (field) => (marksAll || isTyped(draft, field) ? problems[field] : undefined) ?? placed.fields[field],
  };
  const press = (): void => {
    setMarksAll(true);
    if (isReady) sending.press();
    else requestAnimationFrame(() => focusFirstProblem(page.current));
  };
  return (
    <ComposeContext value={compose}>
      <Header onClear={clear} />
      <div ref={page}>
        <Parts>
          <PromoHint devices={sending.preview?.count} />
          <SummaryCard
            sending={sending}
            parts={requests?.length ?? 1}
            others={placed.others}
            onPress={press}
            onSendAsNew={() => patch({ draftId: newDraftId() })}
          />
        </Parts>
      </div>
    </ComposeContext>
  );
}

function Header({ onClear }: { onClear: () => void }): ReactNode {
  const { problems } = useCompose();
  return (
    <PageHeader
      title="Compose"
      description="Write a message, see who gets it and how it looks, and send it."
      actions={
        <>
          <Button variant="subtle" onClick={onClear}>
            Start over
          </Button>
          <TestSend isDisabled={'content' in problems || 'title' in problems || 'data' in problems} />
        </>
      }
    />
  );
}

/** Everything that is filled in, and beside it how it looks and the button. */
function Parts({ children }: { children: ReactNode }): ReactNode {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="lg">
          <AudienceSection />
          <ContentSection />
          <DeliverySection />
          <MoreSection />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="lg" className={classes.aside}>
          <Preview />
          {children}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** Goes to the page of what was sent. */
function useLeaving(draft: MessageDraft): (sent: Sent) => void {
  const [, navigate] = useLocation();
  const mayRead = useCan('read');
  return ({ count, messageIds }) => {
    notifications.show({ message: `Accepted for ${formatNoun(count, 'device')}.`, color: 'pine' });
    const [first] = messageIds;
    if (!mayRead || first === undefined) return;
    if (messageIds.length > 1) navigate(`/messages?clientId=${encodeURIComponent(draft.clientId || draft.draftId)}`);
    else navigate(`/${isCampaign(draft) ? 'campaigns' : 'messages'}/${first}`);
  };
}

/** Puts what the address asks for in place of the draft, once, and takes it out of the address. */
function useStart(start: MessageDraft | null, startAnew: (draft: MessageDraft) => void): void {
  const [, navigate] = useLocation();
  const isDone = useRef(false);
  useEffect(() => {
    if (start === null || isDone.current) return;
    isDone.current = true;
    startAnew(start);
    navigate('/compose', { replace: true });
  }, [start, startAnew, navigate]);
}

/** Whether a field holds something that can be wrong already while the rest is being written. */
function isTyped(draft: MessageDraft, field: string): boolean {
  const value = (draft as unknown as Record<string, unknown>)[field];
  if (typeof value === 'string') return value !== '';
  return field === 'ttl' || field.endsWith('.url');
}

function focusFirstProblem(page: HTMLElement | null): void {
  const field = page?.querySelector<HTMLElement>('[aria-invalid="true"]');
  field?.focus();
  field?.scrollIntoView({ block: 'center' });
}
