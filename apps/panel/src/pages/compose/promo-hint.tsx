import type { PromoSetResponse } from '@postrider/contracts';
import { Alert, Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { formatCount } from '../../components/format';
import { IconTicket } from '../../components/icons';
import { Typed } from '../../components/typed';
import type { MessageDraft } from '../../model/message-draft';
import { namesPromoCode } from '../../model/template-variables';
import { useCompose } from './compose-context';

/** Which promo codes a message with codes hands out, and how many there are. */
export function PromoHint(): ReactNode {
  const { draft } = useCompose();
  const mayUpload = useCan('promo');
  const mayRead = useCan('read') || mayUpload;
  const asks = mayRead && textsOf(draft).some(namesPromoCode);
  const found = useRead<{ sets: PromoSetResponse[] }>('promo/sets', {
    query: { inForce: true, limit: 200 },
    enabled: asks,
  });
  if (!asks || !found.data) return null;
  return <Left sets={found.data.sets} trackId={draft.trackId.trim()} />;
}

function Left({ sets, trackId }: { sets: readonly PromoSetResponse[]; trackId: string }): ReactNode {
  const own = trackId === '' ? undefined : sets.find((set) => set.trackId === trackId);
  const global = sets.find((set) => set.trackId === null);
  const left = (own?.remaining ?? 0) + (global?.remaining ?? 0);
  return (
    <Alert
      color={left === 0 ? 'amber' : 'sky'}
      variant="light"
      icon={<IconTicket aria-hidden />}
      title={left === 0 ? 'There are no promo codes left' : `${formatCount(left)} promo codes are left`}
    >
      <OwnCodes own={own} trackId={trackId} />{' '}
      {global ? <>Of the global set: {formatCount(global.remaining)}.</> : <>There is no global set.</>}{' '}
      <Anchor component={Link} href="/promo" inherit>
        Promo codes
      </Anchor>
    </Alert>
  );
}

function OwnCodes({ own, trackId }: { own: PromoSetResponse | undefined; trackId: string }): ReactNode {
  if (trackId === '') return <>Without a tracking id (under “More options”) no campaign’s codes are used.</>;
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

function textsOf({ title, content, alertText, clickUrl, data, actions, fallback }: MessageDraft): string[] {
  return [title, content, alertText, clickUrl, data, fallback.content, ...actions.map(({ url }) => url)];
}
