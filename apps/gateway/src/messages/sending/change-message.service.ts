import { Inject, Injectable } from '@nestjs/common';
import { audienceMembersOf, changeMessage } from '@postrider/audience';
import { Problems, readChangedSend, type ScheduledMessage, type ValidatedSend } from '@postrider/contracts';
import {
  type Clock,
  DomainError,
  InvalidRequest,
  isUuid,
  type JsonObject,
  type MessageContent,
} from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type Executor,
  inTransaction,
  type MessageRecord,
  MessagesRepository,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { templateProblems } from '@postrider/rendering';
import type { HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { ReadMessages, unknownMessage } from '../reading/read-messages.service';
import { checkSchedules, type MessageDraft } from './draft-message';
import { DraftMessages } from './draft-messages.service';
import { WriteFallbacks } from './write-fallbacks.service';

const CHANGED_SINCE = 'Somebody else has changed this message since; nothing was changed';

/** How often a change is tried if other changes come first. */
const MOST_TRIES = 5;

/** A change of a message, and its caller. */
export interface ChangeRequest {
  messageId: string;
  changes: JsonObject;
  caller: HeavyCaller;
  /** `campaign` finds campaigns only. */
  kind: 'any' | 'campaign';
  /** The revision that the change was made from; undefined: any. */
  revision: number | undefined;
  /** The address of tracked links, for a message that had none. */
  linkBase: string;
}

/** Moves and edits scheduled messages until they leave. */
@Injectable()
export class ChangeMessage {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly messages: MessagesRepository,
    private readonly readMessages: ReadMessages,
    private readonly draftMessages: DraftMessages,
    private readonly fallbacks: WriteFallbacks,
  ) {}

  /**
   * Changes a message completely or not at all. Its id, its audience and its day in the ledger stay.
   * @throws DomainError NOT_FOUND; CONFLICT if it has left, was cancelled or is not scheduled; EDIT_CONFLICT with the
   *   present message if it has another revision than the named one; InvalidRequest as for a send; and what `HeavyReads`
   *   throws
   */
  async change(request: ChangeRequest): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) if (await this.#tryToChange(request)) return;
    throw new DomainError('CONFLICT', 'The message is being changed by others at this moment');
  }

  /** @returns false if another change came first, or the message has left meanwhile */
  async #tryToChange(request: ChangeRequest): Promise<boolean> {
    const { caller, messageId, changes } = request;
    const message = isUuid(messageId) ? await this.messages.find(this.database, caller.appId, messageId) : null;
    if (message === null || (request.kind === 'campaign' && !message.isCampaign)) throw unknownMessage();
    const now = this.clock.now();
    checkWaits(message, now);
    if ((request.revision ?? message.revision) !== message.revision) throw await this.#changedSince(request);
    const send = await readChange(message, changes);
    checkWinner(message, send.content);
    if ((changes.sendAt ?? undefined) !== undefined) checkSchedules([send], now);
    const draft = await this.#draft(message, send, request, now);
    await this.draftMessages.checkPayload(draft, caller);
    return inTransaction(this.database, (executor) => this.#write(executor, draft, message, now));
  }

  async #changedSince({ caller: { appId }, messageId, kind }: ChangeRequest): Promise<DomainError> {
    const current = await this.readMessages.find(appId, messageId, kind);
    return new DomainError('EDIT_CONFLICT', CHANGED_SINCE, { current });
  }

  async #draft(
    message: MessageRecord,
    send: ValidatedSend,
    { caller: { appId }, changes, linkBase }: ChangeRequest,
    now: Date,
  ): Promise<MessageDraft> {
    if (send.content.trackLinks) send.content.linkBase = message.content.linkBase ?? linkBase;
    // A local time counts from the moment of the change: where it has passed already, the next day is meant.
    const isMovedLocally = send.steering.localTime && 'sendAt' in changes;
    const acceptedAt = isMovedLocally ? now : message.acceptedAt;
    const { drafts } = await this.draftMessages.draft([send], { appId, kind: message.kind, acceptedAt: now });
    const [draft] = drafts;
    if (draft === undefined) throw new Error('A message gave no draft');
    return {
      ...draft,
      message: { ...draft.message, id: message.id, acceptedAt },
      selection: { ...draft.selection, who: audienceMembersOf(message) },
    };
  }

  async #write(
    executor: Executor,
    draft: MessageDraft,
    { revision, winnerVariant: winner }: MessageRecord,
    now: Date,
  ): Promise<boolean> {
    const { message, selection } = draft;
    const { appId } = selection;
    const changed = await changeMessage(executor, { appId, message, revision, winner, now });
    if (changed === undefined) return false;
    const { userIds } = changed;
    const who = userIds === null ? selection.who : { kind: 'users' as const, userIds };
    await this.fallbacks.rewrite(executor, { ...draft, selection: { ...selection, who } });
    return true;
  }
}

/** @throws DomainError CONFLICT if it has left, was cancelled, or is not scheduled */
function checkWaits({ status, sendAt, resolvedAt, recipients }: MessageRecord, now: Date): void {
  if (status === 'cancelled') throw new DomainError('CONFLICT', 'The message was cancelled');
  if (sendAt === null) throw new DomainError('CONFLICT', 'The message is not scheduled: it left when it was accepted');
  const waits = status === 'accepted' && sendAt > now && resolvedAt === null && recipients === '0';
  if (!waits) throw new DomainError('CONFLICT', 'The message has left; it can no longer be changed');
}

/** @throws InvalidRequest that names every bad field */
async function readChange(message: MessageRecord, changes: JsonObject): Promise<ValidatedSend> {
  const { message: send, problems: found } = readChangedSend(scheduledOf(message), changes);
  const problems = new Problems(changes);
  problems.addAll(found);
  if (send !== null) problems.addAll(await templateProblems([send]));
  problems.throwIfAny();
  if (send === null) throw new Error('A change without problems gave no message');
  return send;
}

/**
 * The winner may be chosen before the message leaves, and only once: without its variant, the users who get the winner
 * would get a content that nobody chose.
 * @throws InvalidRequest if the variant that was chosen is not among the variants any more
 */
function checkWinner({ winnerVariant }: MessageRecord, { variants = [], winner }: MessageContent): void {
  if (winnerVariant === null || winner === undefined || variants.some(({ name }) => name === winnerVariant)) return;
  const message = `must have the variant that was chosen as the winner: ${winnerVariant}`;
  throw new InvalidRequest([{ path: 'variants', message }]);
}

function scheduledOf(message: MessageRecord): ScheduledMessage {
  const { kind, content, channel, rate, sendAt, localTime, expiresAt, ignoreQuietHours } = message;
  const moment = sendAt ?? message.acceptedAt;
  return {
    kind,
    content,
    recipients: audienceMembersOf(message).kind,
    channel,
    ttlSeconds: message.ttlSeconds ?? Math.round((expiresAt.getTime() - moment.getTime()) / 1_000),
    rate,
    sendAt: localTime ?? moment.toISOString(),
    isLocalTime: localTime !== null,
    ignoreQuietHours,
  };
}
