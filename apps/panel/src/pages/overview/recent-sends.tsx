import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CampaignSummaryResponse, MessageSummaryResponse } from '@postrider/server/document';
import { useRead } from '../../api/reading';
import { formatNoun } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { MessageCell } from '../message/message-cell';
import { SendMoment, SendState } from '../message/send-state';
import classes from './recent-sends.module.css';

const SHOWN = 5;
const POLL_MS = 5_000;

/** The last messages and campaigns. */
export function RecentSends(): ReactNode {
  const params = { query: { limit: SHOWN } };
  const messages = useRead('/api/push/messages', { params, pollMs: POLL_MS });
  const campaigns = useRead('/api/push/campaigns', { params, pollMs: POLL_MS });
  const sent = (campaigns.data?.campaigns ?? []).filter((one): one is CampaignSummaryResponse => 'content' in one);
  return (
    <div className={classes.columns}>
      <Recent title="Last campaigns" href="/campaigns" sends={sent} />
      <Recent title="Last messages" href="/messages" sends={messages.data?.messages ?? []} />
    </div>
  );
}

function Recent(props: { title: string; href: string; sends: readonly MessageSummaryResponse[] }): ReactNode {
  const { title, href, sends } = props;
  return (
    <SectionCard
      title={title}
      actions={
        <Anchor component={Link} href={href} size="sm" py={4} aria-label={`See all ${href.slice(1)}`}>
          See all
        </Anchor>
      }
    >
      {sends.length === 0 ? (
        <div className={classes.none}>None yet</div>
      ) : (
        <ul className={classes.list}>
          {sends.map((send) => (
            <li key={send.id} className={classes.send}>
              <Link href={`${href}/${send.id}`} className={classes.link}>
                <MessageCell content={send.content} trackId={send.trackId} />
              </Link>
              <span className={classes.facts}>
                <SendState send={send} />
                <span>
                  {formatNoun(send.count, 'device')} · <SendMoment send={send} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  );
}
