import { Injectable } from '@nestjs/common';
import { isUuid, normaliseName } from '@postrider/domain';
import {
  type CountedMessages,
  type Executor,
  CampaignsRepository,
  MessagesRepository,
  StatisticsRepository,
} from '@postrider/persistence';
import { unknownMessage } from '../reading/read-messages.service';

/** What statistics can be about. */
export type SubjectKind = 'message' | 'campaign';

/** A message or campaign with statistics. */
export interface StatsSubject {
  id: string;
  trackId: string | null;
  counted: CountedMessages;
  messages: number;
  count: number;
  begunAt: Date;
}

/** Finds the message or campaign of a request for statistics. */
@Injectable()
export class StatsSubjects {
  constructor(
    private readonly statistics: StatisticsRepository,
    private readonly messages: MessagesRepository,
    private readonly campaigns: CampaignsRepository,
  ) {}

  /**
   * Finds a message, or a campaign by its id, by the id of one of its messages, or by its tracking id.
   *
   * @throws DomainError NOT_FOUND
   */
  async find(executor: Executor, appId: string, kind: SubjectKind, id: string): Promise<StatsSubject> {
    const subject = await (kind === 'message'
      ? this.#findMessage(executor, appId, id)
      : this.#findCampaign(executor, appId, id));
    if (!subject) throw unknownMessage();
    return subject;
  }

  async #findMessage(executor: Executor, appId: string, id: string): Promise<StatsSubject | null> {
    const message = isUuid(id) ? await this.messages.findFacts(executor, appId, id) : null;
    if (!message) return null;
    const { trackId, count, acceptedAt } = message;
    const counted = { messageId: message.id };
    return { id: message.id, trackId, counted, messages: 1, count: Number(count), begunAt: acceptedAt };
  }

  /** A tracking id may look like the id of a campaign. */
  async #findCampaign(executor: Executor, appId: string, id: string): Promise<StatsSubject | null> {
    const found = isUuid(id) ? await this.#findCampaignById(executor, appId, id) : null;
    if (found) return found;
    const trackId = normaliseName(id);
    return trackId === null ? null : this.#findTracked(executor, appId, { id, trackId, begunAt: null });
  }

  async #findCampaignById(executor: Executor, appId: string, id: string): Promise<StatsSubject | null> {
    const planned = await this.campaigns.find(executor, appId, id);
    if (planned)
      return this.#findTracked(executor, appId, { id, trackId: planned.trackId, begunAt: planned.createdAt });
    const message = await this.#findMessage(executor, appId, id);
    if (!message?.trackId) return message;
    return this.#findTracked(executor, appId, { id, trackId: message.trackId, begunAt: message.begunAt });
  }

  async #findTracked(
    executor: Executor,
    appId: string,
    { id, trackId, begunAt }: { id: string; trackId: string; begunAt: Date | null },
  ): Promise<StatsSubject | null> {
    const sum = await this.statistics.sumCampaign(executor, appId, trackId);
    const first = sum.begunAt ?? begunAt ?? (await this.campaigns.findPlanned(executor, appId, trackId))?.createdAt;
    if (first === undefined) return null;
    return { id, trackId, counted: { trackId }, messages: sum.messages, count: sum.count, begunAt: first };
  }
}
