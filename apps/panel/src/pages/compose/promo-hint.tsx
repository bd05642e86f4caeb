import { Alert, Anchor, Button, Group } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import type { PromoSetResponse } from '@postrider/server/document';
import { useCursorList } from '../../api/reading';
import { useCan } from '../../api/session';
import { formatCount, formatNoun } from '../../components/format';
import { IconTicket } from '../../components/icons';
import { Typed } from '../../components/typed';
import { hasTest, type MessageDraft } from '../../model/message-draft';
import { namesPromoCode } from '../../model/template-variables';
import { useApplication } from '../message/notification-preview';
import classes from './compose.module.css';
import { useCompose } from './compose-context';

const MOST_OFFERED = 5;

/** Which promo codes a message with codes hands out, how many there are, and whether they suffice for `devices`. */
export function PromoHint({ devices }: { devices: number | undefined }): ReactNode {
  const { draft } = useCompose();
  const mayUpload = useCan('promo');
  const mayRead = useCan('read') || mayUpload;
  const asks = mayRead && textsOf(draft).some(namesPromoCode);
  const found = useCursorList('/api/promo/sets', 'sets', {
    params: { query: { inForce: true, limit: 200 } },
    enabled: asks,
  });
  const { hasMore, isLoadingMore, moreError, loadMore } = found;
  // The set of the campaign, or the global one, may be older than many others.
  useEffect(() => {
    if (hasMore && !isLoadingMore && moreError === null) loadMore();
  }, [hasMore, isLoadingMore, moreError, loadMore]);
  if (!asks || found.isLoading || found.error !== null || hasMore) return null;
  return <Left sets={found.items} trackId={draft.trackId.trim()} devices={devices} />;
}

function Left(props: { sets: readonly PromoSetResponse[]; trackId: string; devices: number | undefined }): ReactNode {
  const { sets, trackId, devices } = props;
  const own = trackId === '' ? undefined : sets.find((set) => set.trackId === trackId);
  const global = sets.find((set) => set.trackId === null);
  const left = (own?.remaining ?? 0) + (global?.remaining ?? 0);
  const isShort = left === 0 || (devices !== undefined && devices > left);
  return (
    <Alert
      color={isShort ? 'amber' : 'sky'}
      variant="light"
      icon={<IconTicket aria-hidden />}
      title={titleOf(left, devices)}
    >
      <OwnCodes own={own} trackId={trackId} />{' '}
      {global ? <>Of the global set: {formatCount(global.remaining)}.</> : <>There is no global set.</>}{' '}
      {isShort && left > 0 && <UsedUp />}{' '}
      <Anchor component={Link} href="/promo" inherit>
        Promo codes
      </Anchor>
      {own === undefined && <Offers sets={sets} />}
    </Alert>
  );
}

function titleOf(left: number, devices: number | undefined): string {
  if (left === 0) return 'There are no promo codes for this message';
  if (devices === undefined || devices <= left)
    return `${formatNoun(left, 'promo code')} ${left === 1 ? 'is' : 'are'} left`;
  return `${formatNoun(left, 'promo code')} for ${formatNoun(devices, 'device')}`;
}

/** What happens when the codes are used up; each user gets one code on all of their devices. */
function UsedUp(): ReactNode {
  const { promoExhausted } = useApplication();
  const rest =
    promoExhausted === undefined
      ? 'the application’s settings decide about the others'
      : promoExhausted === 'skip'
        ? 'the others do not get the message'
        : 'the others get the message without a code';
  return <>Each user gets one. When they are used up, {rest}.</>;
}

/** The campaigns that have codes, to be chosen. */
function Offers({ sets }: { sets: readonly PromoSetResponse[] }): ReactNode {
  const { patch } = useCompose();
  const offered = sets.filter(({ trackId, remaining }) => trackId !== null && remaining > 0).slice(0, MOST_OFFERED);
  if (offered.length === 0) return null;
  return (
    <Group gap="xs" mt="sm">
      {offered.map(({ id, trackId, remaining }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="default"
          maw="100%"
          className={classes.review}
          onClick={() => patch({ trackId: trackId ?? '' })}
        >
          <span>
            Use those of <Typed text={trackId ?? ''} /> ({formatCount(remaining)})
          </span>
        </Button>
      ))}
    </Group>
  );
}

function OwnCodes({ own, trackId }: { own: PromoSetResponse | undefined; trackId: string }): ReactNode {
  if (trackId === '') return <>Without a track id (under “More options”) only global codes are used.</>;
  if (own) {
    return (
      <>
        Of the campaign <Typed text={trackId} />: {formatCount(own.remaining)}.
      </>
    );
  }
  return (
    <>
      No codes were uploaded for the campaign <Typed text={trackId} />.
    </>
  );
}

/** Returns every text that a user may get, in any language and any variant. */
function textsOf(draft: MessageDraft): string[] {
  const { languages, variants, fallback } = draft;
  const places = [draft, ...(hasTest(draft) ? variants : [])];
  return [
    fallback.content,
    ...places.flatMap(({ title, content, alertText, clickUrl, data, more, actions }) => [
      ...[title, content, alertText, clickUrl, data, more],
      ...actions.map(({ url }) => url),
    ]),
    ...[...languages, ...variants.flatMap((variant) => variant.languages)].flatMap(
      ({ title, content, alertText, clickUrl, sms }) => [title, content, alertText, clickUrl, sms],
    ),
  ];
}
