import { Inject, Injectable } from '@nestjs/common';
import {
  type CampaignsResponse,
  cutList,
  type ListMessagesQuery,
  makeCursor,
  type MessageResponse,
  type NewCampaignRequest,
  type PlannedCampaignResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid, normaliseName } from '@postrider/domain';
import {
  CampaignsRepository,
  type Database,
  DATABASE,
  MessagesRepository,
  type PlannedCampaign,
  StatisticsRepository,
} from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { messageFilterOf, ReadMessages, unknownMessage } from './read-messages.service';
import { showCampaignSummary, showPlannedCampaign } from './show-message';

/** Makes campaigns before their first send, and reads campaigns. */
@Injectable()
export class Campaigns {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly readMessages: ReadMessages,
    private readonly messages: MessagesRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly statistics: StatisticsRepository,
  ) {}

  /** @throws DomainError CONFLICT if the application has a campaign with that tracking id */
  async create(appId: string, { trackId, name }: NewCampaignRequest): Promise<PlannedCampaignResponse> {
    const createdAt = this.clock.now();
    const made = await this.campaigns.insert(appId, {
      campaignId: newId(createdAt),
      trackId,
      name: name ?? null,
      createdAt,
    });
    if (!made) throw new DomainError('CONFLICT', 'A campaign with this trackId exists');
    return showPlannedCampaign(made);
  }

  /** Lists campaigns, newest first: messages that were sent by rules, and planned campaigns without a send. */
  async list(appId: string, query: ListMessagesQuery): Promise<CampaignsResponse> {
    const { limit } = query;
    const asked = messageFilterOf(query);
    // All filters except the track id and the place in the list are about sends.
    const ofSends = Object.entries(asked).filter(([name]) => name !== 'trackId' && name !== 'beforeId');
    const isForSomeSends = ofSends.some(([, condition]) => condition !== null && condition !== undefined);
    const sent = await this.messages.list(
      appId,
      { ...asked, isCampaign: true },
      { limit: limit + 1, now: this.clock.now() },
    );
    // Planned campaigns that are older than the last of these belong to the next part of the list.
    const afterId = (sent.length > limit && sent.at(-1)?.id) || null;
    const planned = isForSomeSends ? [] : await this.campaigns.listUnsent(appId, { ...asked, afterId }, limit + 1);
    const engagements = await this.statistics.sumEngagement(
      appId,
      sent.map(({ id }) => id),
    );
    const byId = new Map(engagements.map((engagement) => [engagement.messageId, engagement]));
    const found: CampaignsResponse['campaigns'] = [
      ...sent.map((message) => showCampaignSummary(message, byId.get(message.id))),
      ...planned.map(showPlannedCampaign),
    ];
    found.sort((one, other) => (one.id < other.id ? 1 : -1));
    const { entries: campaigns, nextCursor } = cutList(found, limit, ({ id }) => makeCursor(id));
    return { campaigns, nextCursor };
  }

  /**
   * Finds a campaign by the id of its send, by the id with which it was made before its first send, or by its tracking
   * id. The last two are answered as its newest send, once there is one.
   *
   * @throws DomainError NOT_FOUND
   */
  async find(appId: string, id: string): Promise<MessageResponse | PlannedCampaignResponse> {
    const found = (isUuid(id) ? await this.#findById(appId, id) : null) ?? (await this.#findByTrackId(appId, id));
    if (!found) throw unknownMessage();
    return found;
  }

  async #findById(appId: string, id: string): Promise<MessageResponse | PlannedCampaignResponse | null> {
    const planned = await this.campaigns.find(this.database, appId, id);
    return planned
      ? this.#newestOf(appId, planned.trackId, planned)
      : this.readMessages.findIfAny(appId, id, 'campaign');
  }

  async #findByTrackId(appId: string, id: string): Promise<MessageResponse | PlannedCampaignResponse | null> {
    const trackId = normaliseName(id);
    if (trackId === null) return null;
    const planned = await this.campaigns.findPlanned(this.database, appId, trackId);
    return this.#newestOf(appId, trackId, planned);
  }

  /** The newest send of a campaign; the campaign itself while it was only planned; null if there is neither. */
  async #newestOf(
    appId: string,
    trackId: string,
    planned: PlannedCampaign | null,
  ): Promise<MessageResponse | PlannedCampaignResponse | null> {
    const newestId = await this.campaigns.findNewestSend(appId, trackId);
    if (newestId !== null) return this.readMessages.find(appId, newestId, 'campaign');
    return planned && showPlannedCampaign(planned);
  }
}
