import { Inject, Injectable } from '@nestjs/common';
import type { StatsRequest, StatsResponse } from '@postrider/contracts';
import type { Clock } from '@postrider/domain';
import {
  countMessages,
  type Database,
  DATABASE,
  type Executor,
  findCampaignMessages,
  findMessage,
  findPlannedCampaign,
  inSnapshot,
  type MessageCount,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { isUuid } from '../installations/installation-id';
import { unknownMessage } from '../reading/read-messages.service';
import { sumCounts } from './sum-counts';

/** Messages of one campaign that are added up: its newest. */
const MOST_MESSAGES = 5_000;
/** Rows of counts that one answer is made of. */
const MOST_ROWS = 50_000;

/** What statistics are of. */
interface Subject {
  id: string;
  trackId: string | null;
  messageIds: string[];
  count: number;
  begunAt: Date;
}

/** What people did with messages, as it was counted. */
export interface Counted {
  subject: Subject;
  since: Date;
  until: Date;
  counts: MessageCount[];
}

/** Reads what people did with messages and campaigns. */
@Injectable()
export class ReadStats {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The counts of one message, or of all messages of a campaign. @throws DomainError NOT_FOUND */
  async count(appId: string, kind: 'message' | 'campaign', id: string, asked: StatsRequest): Promise<Counted> {
    return inSnapshot(this.database, async (executor) => {
      const subject =
        kind === 'message' ? await findMessageSubject(executor, appId, id) : await findCampaign(executor, appId, id);
      if (!subject) throw unknownMessage();
      const until = asked.to ?? this.clock.now();
      const since = asked.from ?? subject.begunAt;
      const time = { since, until, interval: asked.interval };
      const counts =
        subject.messageIds.length === 0
          ? []
          : await countMessages(executor, appId, subject.messageIds, time, MOST_ROWS);
      return { subject, since, until, counts };
    });
  }

  /** @throws DomainError NOT_FOUND */
  async read(appId: string, kind: 'message' | 'campaign', id: string, asked: StatsRequest): Promise<StatsResponse> {
    const { subject, since, until, counts } = await this.count(appId, kind, id, asked);
    return {
      id: subject.id,
      trackId: subject.trackId,
      messages: subject.messageIds.length,
      count: subject.count,
      from: since.toISOString(),
      to: until.toISOString(),
      interval: asked.interval,
      ...sumCounts(counts),
    };
  }
}

async function findMessageSubject(executor: Executor, appId: string, id: string): Promise<Subject | null> {
  const message = isUuid(id) ? await findMessage(executor, appId, id) : null;
  if (!message) return null;
  const { trackId, count, acceptedAt } = message;
  return { id: message.id, trackId, messageIds: [message.id], count: Number(count), begunAt: acceptedAt };
}

/** A campaign is named by its id, by the id of one of its messages, or by its tracking id. */
async function findCampaign(executor: Executor, appId: string, id: string): Promise<Subject | null> {
  if (!isUuid(id)) return findTracked(executor, appId, { id, trackId: id, begunAt: null });
  const planned = await findPlannedCampaign(executor, appId, id);
  if (planned) return findTracked(executor, appId, { id, trackId: planned.trackId, begunAt: planned.createdAt });
  const message = await findMessageSubject(executor, appId, id);
  if (!message?.trackId) return message;
  return findTracked(executor, appId, { id, trackId: message.trackId, begunAt: message.begunAt });
}

async function findTracked(
  executor: Executor,
  appId: string,
  { id, trackId, begunAt }: { id: string; trackId: string; begunAt: Date | null },
): Promise<Subject | null> {
  const messages = await findCampaignMessages(executor, appId, trackId, MOST_MESSAGES);
  const first = messages.at(-1)?.acceptedAt ?? begunAt;
  if (first === null) return null;
  return {
    id,
    trackId,
    messageIds: messages.map((message) => message.id),
    count: messages.reduce((sum, { count }) => sum + count, 0),
    begunAt: first,
  };
}
