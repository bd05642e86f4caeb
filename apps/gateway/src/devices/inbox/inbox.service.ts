import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  type InboxMessageResponse,
  type InboxQuery,
  type InboxResponse,
  makeCursor,
} from '@postrider/contracts';
import {
  type Clock,
  covers,
  DomainError,
  type Edition,
  EditionChoice,
  hasEditions,
  isUuid,
  LOCALE_ATTRIBUTE,
  type MessageContent,
} from '@postrider/domain';
import {
  type InboxOwner,
  InboxRepository,
  PersonFactsRepository,
  type InboxMessage,
  variantOfUser,
  WaitingDeliveriesRepository,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import {
  LinkTracker,
  messageOfEdition,
  type PersonFacts,
  createPersonalMessage,
  createRenderer,
  type RenderableApplication,
  TemplateFailure,
} from '@postrider/rendering';
import type { Caller } from '../../auth/caller';
import { unknownInstallation } from '../show-installation';
import { UserIdentity } from '../registration/user-identity.service';

/** Whose inbox a request is about, and the proof. */
interface InboxClaim {
  caller: Caller;
  installationId: string;
  userHash: string | null;
}

/** The inbox of a device: reads messages, marks them as read, and removes them. */
@Injectable()
export class Inbox {
  readonly #links: LinkTracker;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly identity: UserIdentity,
    private readonly inboxes: InboxRepository,
    private readonly waiting: WaitingDeliveriesRepository,
    private readonly facts: PersonFactsRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.#links = new LinkTracker(config);
  }

  /**
   * Newest first, with the number of unread messages without those of the page that cannot be shown.
   *
   * @throws DomainError NOT_FOUND, UNAUTHORIZED
   */
  async read(claim: InboxClaim, { cursor, limit }: InboxQuery): Promise<InboxResponse> {
    const beforeId = cursor ?? null;
    const owner = await this.#ownerOf(claim);
    const now = this.clock.now();
    if (beforeId === null) await this.waiting.keepUnsent([owner], now);
    const [found, unread] = await Promise.all([
      this.inboxes.read(owner, { beforeId, limit: limit + 1, now }),
      this.inboxes.countUnread(owner, now),
    ]);
    const { entries, nextCursor } = cutList(found, limit, ({ id }) => makeCursor(id));
    const person = await this.#personOf(owner, entries.length > 0);
    const shown = { person, links: this.#links, now };
    const messages = await Promise.all(entries.map((message) => showInboxMessage(message, owner, shown)));
    const notShown = entries.filter(({ readAt }, place) => readAt === null && messages[place]?.length === 0);
    return {
      messages: messages.flat(),
      // The two statements may see different moments.
      unread: Math.max(0, unread - notShown.length),
      nextCursor,
    };
  }

  /** @param messageId null: all of them @throws DomainError NOT_FOUND, UNAUTHORIZED */
  async markRead(claim: InboxClaim, messageId: string | null): Promise<number> {
    const owner = await this.#ownerOf(claim);
    if (messageId !== null && !isUuid(messageId)) throw notInInbox();
    const now = this.clock.now();
    if (messageId === null) await this.waiting.keepUnsent([owner], now);
    const count = await this.inboxes.markRead(owner, messageId, now);
    if (messageId !== null && count === 0) throw notInInbox();
    return count;
  }

  /**
   * @returns the number of removed messages: 1 or 0 @throws DomainError NOT_FOUND for the installation, UNAUTHORIZED
   */
  async remove(claim: InboxClaim, messageId: string): Promise<number> {
    const owner = await this.#ownerOf(claim);
    return isUuid(messageId) ? this.inboxes.delete(owner, messageId, this.clock.now()) : 0;
  }

  /**
   * The token of an app does not identify the device. The installation's id does, which nobody else knows, and if the
   * application requires it, also the hash of its user.
   */
  async #ownerOf({ caller: { appId, scopes, tokenId }, installationId, userHash }: InboxClaim): Promise<InboxOwner> {
    const owner = isUuid(installationId) ? await this.inboxes.findOwner(appId, installationId) : null;
    const isBackend = tokenId === null || covers(scopes, 'read');
    if (owner && !isBackend) await this.identity.verify(appId, owner.userId, userHash);
    if (!owner) throw unknownInstallation();
    return owner;
  }

  async #personOf(owner: InboxOwner, isNeeded: boolean): Promise<PersonFacts | null> {
    if (!isNeeded) return null;
    const stored = await this.facts.findOfDevices(owner.appId, [owner.deviceId]);
    const person = stored.get(owner.deviceId);
    return person ? { ...person, promoCode: null } : null;
  }
}

function notInInbox(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such message in the inbox');
}

/** A message as its device gets it over its own connection, with its read state. */
async function showInboxMessage(
  message: InboxMessage,
  owner: InboxOwner,
  shown: { person: PersonFacts | null; links: LinkTracker; now: Date },
): Promise<InboxMessageResponse[]> {
  const { id, readAt, state } = message;
  const content = await contentOf(message, owner, shown);
  // A message that cannot be rendered for this person was never sent to them either.
  if (content instanceof TemplateFailure) return [];
  const { deviceType } = owner;
  const payload = createRenderer({ ...message, content }, applicationOf(owner)).connectionPayload({ deviceType });
  return [{ ...payload, id, read: readAt !== null, readAt: readAt?.toISOString() ?? null, state }];
}

async function contentOf(
  stored: InboxMessage,
  owner: InboxOwner,
  { person, links, now }: { person: PersonFacts | null; links: LinkTracker; now: Date },
): Promise<MessageContent | TemplateFailure> {
  const message = messageOfEdition(stored, editionOf(stored, owner, person));
  const personal = createPersonalMessage(message, applicationOf(owner), links.trackingOf(owner.appId, message));
  if (personal === null || person === null) return message.content;
  const [content] = await personal.contentsFor([{ ...person, promoCode: message.promoCode }], now);
  return content as MessageContent | TemplateFailure;
}

/**
 * A sent message is shown in the language in which it was sent; a waiting one in the language in which it would be sent
 * now.
 */
function editionOf(
  { id, content, language, winner, state }: InboxMessage,
  { appId, userId }: InboxOwner,
  person: PersonFacts | null,
): Edition {
  if (!hasEditions(content)) return { language };
  const variant = variantOfUser({ appId, id, content, winner }, userId);
  if (state !== 'pending') return variant === null ? { language } : { language, variant };
  return new EditionChoice(content, variant).of(person?.device?.locale, person?.attributes[LOCALE_ATTRIBUTE]);
}

function applicationOf({ applicationName: name, defaultAlertText }: InboxOwner): RenderableApplication {
  return { name, defaultAlertText };
}
