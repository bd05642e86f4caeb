import { Button, Grid, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../../api/api-error';
import { gatewayNow } from '../../api/gateway-clock';
import { useCan } from '../../api/session';
import { useQueryParams } from '../../api/address';
import { formatNoun } from '../../components/format';
import { PageHeader } from '../../components/page-header';
import { type FieldProblems, placeProblems, problemsOf } from '../../model/message-problems';
import { isCampaign, type MessageDraft } from '../../model/message-draft';
import { requestsOf, type SendCall } from '../../model/message-requests';
import classes from './compose.module.css';
import { type Compose, ComposeContext, useCompose, useKeptDraft, newDraftId, useDraft } from './compose-context';
import { ContentSection } from './content-section';
import { DeliverySection } from './delivery-section';
import { isOnlyHere, Opening, type Start, startOf, Unsaved } from './opening';
import { MoreSection } from './more-section';
import { Preview } from './preview';
import { PromoHint } from './promo-hint';
import { type Sending, type Sent, useSending } from './use-sending';
import { ReviewDialog } from './review-dialog';
import { CONFLICT_ID, SavedDraftBar } from './saved-draft-bar';
import { StartOver } from './start-over';
import { type Saving, useSavedDraft } from './use-saved-draft';
import { TemplateSection } from './template-section';
import { TestSection } from './test-section';
import { SummaryCard } from './summary-card';
import { TestSend } from './test-send';
import { AudienceSection } from './audience-section';

/** Writes a message and sends it. */
export function ComposePage(): ReactNode {
  const [params] = useQueryParams();
  const [asked] = useState(() => startOf(params));
  const kept = useKeptDraft();
  const isReplaced =
    'source' in asked ? asked.source.kind !== 'draft' || asked.source.id !== kept.saved?.id : asked.start !== null;
  const [former, setFormer] = useState(() => (isReplaced && isOnlyHere(kept) ? kept : null));
  const [begun, begin] = useState<{ start: Start } | null>('start' in asked ? asked : null);
  if (former !== null) {
    const decide = (what: 'saved' | 'continue'): void => {
      if (what === 'continue') begin({ start: null });
      setFormer(null);
    };
    return <Unsaved kept={former} onDone={decide} />;
  }
  if (begun !== null) return <Composer start={begun.start} />;
  return 'source' in asked && <Opening source={asked.source} onRead={(start) => begin({ start })} />;
}

function Composer({ start }: { start: Start }): ReactNode {
  const { draft, patch, startAnew } = useDraft(start);
  const [fileUsers, setFileUsers] = useState<readonly string[] | null>(null);
  const [marksAll, setMarksAll] = useState(false);
  const [variant, showVariant] = useState<string | null>(null);
  const [language, showLanguage] = useState('');
  const page = useRef<HTMLDivElement>(null);
  useAddress(draft);
  const { problems, requests } = useChecks(draft, fileUsers);
  const clear = (): void => {
    startAnew();
    setFileUsers(null);
    setMarksAll(false);
  };
  const leave = useLeaving(draft);
  const { saving, sending, isReviewing, setReviewing } = useReviewedSending(draft, patch, requests, (sent) => {
    clear();
    leave(sent);
  });
  const placed = usePlaced(draft, sending.error);
  const sendAsNew = (): void => patch({ draftId: newDraftId() });
  const compose: Compose = {
    draft,
    patch,
    problems,
    marksAll,
    fileUsers,
    setFileUsers,
    variant,
    showVariant,
    language,
    showLanguage,
    isMarked: (prefix) =>
      Object.keys({ ...(marksAll ? problems : {}), ...placed.fields }).some((field) => field.startsWith(prefix)),
    problemAt: (field) => (marksAll || isTyped(draft, field) ? problems[field] : undefined) ?? placed.fields[field],
  };
  const press = (): void => {
    setMarksAll(true);
    if (saving.state === 'conflict') document.getElementById(CONFLICT_ID)?.focus();
    else if (requests !== null) setReviewing(true);
    else requestAnimationFrame(() => focusFirstProblem(page.current));
  };
  return (
    <ComposeContext value={compose}>
      <Header saving={saving} onClear={clear} />
      <SavedDraftBar saving={saving} onTake={startAnew} />
      <div ref={page}>
        <Parts>
          <PromoHint devices={sending.preview?.count} />
          <SummaryCard
            sending={sending}
            parts={requests?.length ?? 1}
            others={placed.others}
            isReviewed={isReviewing}
            onPress={press}
            onSendAsNew={sendAsNew}
          />
        </Parts>
      </div>
      <ReviewDialog
        isOpen={isReviewing}
        sending={sending}
        isReady={requests !== null}
        onClose={() => setReviewing(false)}
        onSendAsNew={sendAsNew}
      />
    </ComposeContext>
  );
}

/** Returns the problems of a draft, and the requests that send it if there are none. */
function useChecks(
  draft: MessageDraft,
  fileUsers: readonly string[] | null,
): { problems: FieldProblems; requests: SendCall[] | null } {
  const problems = useMemo(() => problemsOf(draft, fileUsers, new Date(gatewayNow())), [draft, fileUsers]);
  const isReady = Object.keys(problems).length === 0;
  const requests = useMemo(() => (isReady ? requestsOf(draft, fileUsers ?? []) : null), [isReady, draft, fileUsers]);
  return { problems, requests };
}

/** Returns the API's problems with a draft, at its fields and beside them. */
function usePlaced(draft: MessageDraft, error: Error | null): ReturnType<typeof placeProblems> {
  return useMemo(() => placeProblems(draft, error instanceof ApiError ? error.details : []), [draft, error]);
}

/** Saves a draft while it is written, and sends it after the review. It is not saved during the review. */
function useReviewedSending(
  draft: MessageDraft,
  patch: Compose['patch'],
  requests: readonly SendCall[] | null,
  onSent: (sent: Sent) => void,
): { saving: Saving; sending: Sending; isReviewing: boolean; setReviewing: (isReviewing: boolean) => void } {
  const [isReviewing, setReviewing] = useState(false);
  const saving = useSavedDraft(draft, patch, !isReviewing);
  const done = (sent: Sent): void => {
    setReviewing(false);
    onSent(sent);
  };
  const sending = useSending(requests, done, saving.flush);
  const { meet } = saving;
  useEffect(() => meet(sending.error), [meet, sending.error]);
  return { saving, sending, isReviewing, setReviewing };
}

function Header({ saving, onClear }: { saving: Saving; onClear: () => void }): ReactNode {
  const { problems } = useCompose();
  return (
    <PageHeader
      title="Compose"
      description="Write a message, check its recipients and its preview, and send it."
      actions={
        <>
          <Button component={Link} href="/drafts" variant="subtle">
            Drafts
          </Button>
          <StartOver saving={saving} onClear={onClear} />
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
          <TemplateSection />
          <ContentSection />
          <TestSection />
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
    // The way back leads to an empty message: the draft is gone with the send.
    navigate('/compose', { replace: true });
    notifications.show({ message: `Accepted for ${formatNoun(count, 'device')}.`, color: 'pine' });
    const [first] = messageIds;
    if (!mayRead || first === undefined) return;
    if (messageIds.length > 1) navigate(`/messages?clientId=${encodeURIComponent(draft.clientId || draft.draftId)}`);
    else navigate(`/${isListedAsCampaign(draft) ? 'campaigns' : 'messages'}/${first}`);
  };
}

/** The address names the draft: a reload, or the link, leads back to it. */
function useAddress({ saved }: MessageDraft): void {
  const [, navigate] = useLocation();
  const [params] = useQueryParams();
  const wanted = saved === undefined ? '' : `draft=${encodeURIComponent(saved.id)}`;
  const present = params.toString();
  useEffect(() => {
    if (present !== wanted) navigate(wanted === '' ? '/compose' : `/compose?${wanted}`, { replace: true });
  }, [present, wanted, navigate]);
}

/** True if a field holds something that can be wrong already while the rest is being written. */
function isTyped(draft: MessageDraft, field: string): boolean {
  const value = (draft as unknown as Record<string, unknown>)[field];
  if (typeof value === 'string') return value !== '';
  return field === 'ttl' || field.endsWith('.url');
}

/** A problem behind a tab that is not open is found by its tab. */
function focusFirstProblem(page: HTMLElement | null): void {
  const field = page?.querySelector<HTMLElement>(
    '[aria-invalid="true"], [data-unfinished]:not([aria-selected="true"])',
  );
  field?.focus();
  field?.scrollIntoView({ block: 'center' });
}

/** A draft without named users is a campaign; a message to every user has the fields of a message to users. */
function isListedAsCampaign(draft: MessageDraft): boolean {
  return isCampaign(draft) || draft.audience.kind === 'everyone';
}
