import { randomInt } from 'node:crypto';
import type { Clock } from '@postrider/domain';
import type { Acceptance, VendorApi, VendorApiName, Submission } from '../vendors/vendor-api';
import { type KeptMessage, MessageRing } from './message-ring';
import { VendorCounter, type VendorStats } from './vendor-counter';

/** A message of the inbox, as it is shown. */
export interface InboxMessage {
  id: number;
  acceptedAt: string;
  vendor: VendorApiName;
  token: string;
  vendorMessageId: string;
  title: string;
  body: string;
  details: Readonly<Record<string, string>>;
  payload: unknown;
  /** The user of the phone that it came to; absent: unknown. */
  userId?: string;
}

/** Which messages to show. */
export interface InboxQuery {
  vendor?: string;
  token?: string;
  /** Only messages with these words in title, text, token or user. */
  search?: string;
  /** Only messages with a greater id. */
  afterId?: number;
  limit: number;
}

/** Those whom the messages are for. */
export interface Recipients {
  /** A message has come to a token. */
  receive(message: KeptMessage): void;
  /** Returns who has a token; null: unknown. */
  ownerOf(token: string): { userId: string } | null;
}

/** Below it, adding one for each clearing stays exact. */
const MOST_GENERATIONS = 2 ** 47;

/**
 * The messages that the vendors have accepted: the newest messages complete, all of them counted.
 * Its memory is bounded whatever is sent: by the inbox's size, and by the number of tokens that are counted one by one.
 */
export class Inbox {
  /**
   * Changes when the inbox is emptied, and is another one after a restart, whose ids begin with 1 again: a page that shows the inbox
   * starts again then.
   */
  generation = randomInt(1, MOST_GENERATIONS);
  private readonly ring: MessageRing;
  private readonly apis: ReadonlyMap<VendorApiName, VendorApi>;
  private counters = new Map<VendorApiName, VendorCounter>();
  private lastId = 0;
  private lastIdBeforeClear = 0;

  constructor(
    apis: readonly VendorApi[],
    private readonly limits: { inboxSize: number; countedTokens: number },
    private readonly clock: Clock,
    private readonly recipients: Recipients,
  ) {
    this.apis = new Map(apis.map((api) => [api.name, api]));
    this.ring = new MessageRing(limits.inboxSize);
  }

  /** Keeps and counts an accepted submission for one of its tokens. */
  keep(api: VendorApi, token: string, submission: Submission, acceptance: Acceptance): void {
    this.counter(api.name).countAccepted(token);
    if (!api.takesMessages) return;
    const message: KeptMessage = {
      id: ++this.lastId,
      acceptedAt: this.clock.now().getTime(),
      vendor: api.name,
      token,
      vendorMessageId: acceptance.vendorMessageId,
      payload: submission.payload,
      details: submission.details,
    };
    this.ring.push(message);
    this.recipients.receive(message);
  }

  /** Returns one of the newest messages. */
  find(id: number): KeptMessage | null {
    for (const message of this.ring.newestFirst()) if (message.id === id) return message;
    return null;
  }

  /** How many messages it has taken since it was last cleared, shown or not. */
  get size(): number {
    return this.lastId - this.lastIdBeforeClear;
  }

  /** The counts of one vendor. */
  counter(name: VendorApiName): VendorCounter {
    let counter = this.counters.get(name);
    if (counter === undefined) this.counters.set(name, (counter = new VendorCounter(this.limits.countedTokens)));
    return counter;
  }

  /** The newest messages that the query is for, newest first. */
  read(query: InboxQuery): InboxMessage[] {
    const found: InboxMessage[] = [];
    const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    for (const message of this.ring.newestFirst()) {
      if (found.length >= query.limit || message.id <= (query.afterId ?? 0)) break;
      if (!isAsked(query, message)) continue;
      const shown = this.shown(message);
      if (isFound(shown, words)) found.push(shown);
    }
    return found;
  }

  /** Returns the counts of each vendor that was called. */
  stats(): Partial<Record<VendorApiName, VendorStats>> {
    return Object.fromEntries([...this.counters].map(([name, counter]) => [name, counter.stats()]));
  }

  /** Changes how much is kept and counted. */
  resize(limits: { inboxSize: number; countedTokens: number }): void {
    Object.assign(this.limits, limits);
    this.ring.resize(limits.inboxSize);
    for (const counter of this.counters.values()) counter.limitTokens(limits.countedTokens);
  }

  /** Forgets messages and counts; ids continue, so that none is ever used twice. */
  clear(): void {
    this.ring.clear();
    this.counters = new Map();
    this.lastIdBeforeClear = this.lastId;
    this.generation += 1;
  }

  private shown(message: KeptMessage): InboxMessage {
    const { id, acceptedAt, vendor, token, vendorMessageId, details, payload } = message;
    const { title, body } = this.apis.get(vendor)?.summarize(payload) ?? { title: '', body: '' };
    const owner = this.recipients.ownerOf(token);
    return {
      id,
      acceptedAt: new Date(acceptedAt).toISOString(),
      vendor,
      token,
      vendorMessageId,
      title,
      body,
      details,
      payload,
      ...(owner !== null && { userId: owner.userId }),
    };
  }
}

function isAsked({ vendor, token }: InboxQuery, message: KeptMessage): boolean {
  return (vendor === undefined || vendor === message.vendor) && (token === undefined || token === message.token);
}

function isFound({ title, body, token, userId = '' }: InboxMessage, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${title}\n${body}\n${token}\n${userId}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
