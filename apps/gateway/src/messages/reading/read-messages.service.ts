import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  type FallbacksResponse,
  type ListFallbacksQuery,
  type ListMessagesQuery,
  makeCursor,
  type MessageResponse,
  type MessagesResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid, MINUTE_MS } from '@postrider/domain';
import {
  CampaignTestsRepository,
  type Database,
  DATABASE,
  DeliveryReportsRepository,
  FallbacksRepository,
  inSnapshot,
  type ListedMessage,
  type MessageFacts,
  type MessageFilter,
  MessagesRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { SlowValueCache } from '../../heavy-reads/slow-value-cache';
import { isTested, showCampaignTest } from './show-campaign-test';
import { showFallback, showMessage, showSummary } from './show-message';

/** How long a caller who has seen a message's totals waits for newer ones before they get the same totals again. */
const PATIENCE_MS = 120;
/** The totals of messages to fewer devices are counted for every caller. */
const MANY_DEVICES = 20_000;
/** Within this time after a cancellation, everything that was in flight has its record. */
const SETTLES_WITHIN_MS = MINUTE_MS;

/** Reads messages and their results. */
@Injectable()
export class ReadMessages {
  readonly #shown: SlowValueCache<MessageResponse>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly deliveryReports: DeliveryReportsRepository,
    private readonly fallbacks: FallbacksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly messages: MessagesRepository,
    private readonly tests: CampaignTestsRepository,
  ) {
    this.#shown = new SlowValueCache(clock, PATIENCE_MS);
  }

  /** Messages that are not campaigns, newest first; of a batch all messages, because an array may have both. */
  async list(appId: string, query: ListMessagesQuery): Promise<MessagesResponse> {
    const { limit } = query;
    const filter = messageFilterOf(query);
    const asked = { ...filter, isCampaign: filter.batchId === null ? false : null };
    const found = await this.messages.list(appId, asked, { limit: limit + 1, now: this.clock.now() });
    const { entries, nextCursor } = cutList(found, limit, (last) => makeCursor(last.id));
    return { messages: entries.map(showSummary), nextCursor };
  }

  /**
   * Finds a message with its totals, all of one moment. If counting takes long, because a million devices were sent
   * to, that moment may be some seconds ago, but never before the last change of the message itself.
   *
   * @param kind `campaign` finds campaigns only
   * @throws DomainError NOT_FOUND
   */
  async find(appId: string, id: string, kind: 'any' | 'campaign' = 'any'): Promise<MessageResponse> {
    const message = await this.findIfAny(appId, id, kind);
    if (!message) throw unknownMessage();
    return message;
  }

  /** As `find`, but null if there is no such message. */
  async findIfAny(appId: string, id: string, kind: 'any' | 'campaign' = 'any'): Promise<MessageResponse | null> {
    if (!isUuid(id)) return null;
    const message = await this.messages.findListed(this.database, appId, id);
    if (!message || (kind === 'campaign' && !message.isCampaign)) return null;
    const count = (): Promise<MessageResponse> => this.#count(appId, id);
    const isShared = isBig(message) && !this.#isJustCancelled(message);
    return isShared ? this.#shown.get(`${appId} ${id}`, markOf(message), count) : count();
  }

  /**
   * True if the message was just cancelled: what was in flight then is being recorded, so totals that are some
   * seconds old would be wrong.
   */
  #isJustCancelled({ cancelledAt }: ListedMessage): boolean {
    return cancelledAt !== null && this.clock.now().getTime() - cancelledAt.getTime() < SETTLES_WITHIN_MS;
  }

  #count(appId: string, id: string): Promise<MessageResponse> {
    return inSnapshot(this.database, async (executor) => {
      const message = await this.messages.find(executor, appId, id);
      if (!message) throw unknownMessage();
      const hasFallback = message.content.fallback !== undefined;
      const fallbacks = hasFallback ? await this.fallbacks.count(executor, appId, id) : null;
      const shown = showMessage(message, await this.deliveryReports.count(executor, appId, id), fallbacks);
      if (!isTested(message)) return shown;
      const { content } = message;
      const figures = await this.tests.count(executor, { appId, messageId: id, content });
      return { ...shown, test: showCampaignTest(message, figures) };
    });
  }

  /**
   * Lists a message's fallback SMS, one for each user.
   *
   * @throws DomainError NOT_FOUND
   */
  async listFallbacks(
    appId: string,
    id: string,
    { state, cursor, limit }: ListFallbacksQuery,
  ): Promise<FallbacksResponse> {
    if (!isUuid(id) || !(await this.messages.findFacts(this.database, appId, id))) throw unknownMessage();
    const found = await this.fallbacks.list(appId, id, {
      state: state ?? null,
      afterUserId: cursor ?? '',
      limit: limit + 1,
    });
    const { entries, nextCursor } = cutList(found, limit, ({ userId }) => makeCursor(userId));
    return { fallbacks: entries.map(showFallback), nextCursor };
  }
}

/** True if reading all devices of a message takes long. */
export function isBig({ recipients, count }: MessageFacts): boolean {
  return Number(recipients) >= MANY_DEVICES || Number(count) >= MANY_DEVICES;
}

/** The state of a message that its totals depend on, beside its deliveries. */
function markOf({
  status,
  recipients,
  resolvedAt,
  cancelledAt,
  doneAt,
  revision,
  winnerVariant,
}: ListedMessage): string {
  return JSON.stringify([status, recipients, resolvedAt, cancelledAt, doneAt, revision, winnerVariant]);
}

/** The filter of a list. Null: no filter. */
export function messageFilterOf(query: ListMessagesQuery): Omit<MessageFilter, 'isCampaign'> {
  const { status, kind, from, to, language, channel, templateId } = query;
  return {
    ...{ status, kind, from, to, language, channel, templateId: templateId?.toLowerCase() },
    trackId: query.trackId ?? null,
    clientId: query.clientId ?? null,
    userId: query.userId ?? null,
    batchId: query.batchId ?? null,
    beforeId: query.cursor ?? null,
  };
}

/** The answer for a message that is unknown in this application. */
export function unknownMessage(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such message');
}
