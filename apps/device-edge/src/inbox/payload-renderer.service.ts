import { Inject, Injectable } from '@nestjs/common';
import type { Clock, MessageContent } from '@postrider/domain';
import { DATABASE, type Database, findPersonFacts, inTransaction, type StoredPerson } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { claimPromoCodes } from '@postrider/promo';
import { type PersonalMessage, TemplateFailure } from '@postrider/rendering';
import type { Session } from '../session/session';
import { deviceKey } from '../ledger/device-key';
import type { KnownMessage } from './message-cache.service';

/** A message for one device. */
export interface Order {
  message: KnownMessage;
  session: Session;
}

/** What a device gets, or why it gets nothing. */
export type Rendered =
  | { kind: 'payload'; payload: Buffer }
  | { kind: 'failed'; state: 'failed' | 'skipped'; errorCode: string; reason: string }
  /** The device is another user's by now, or gone. */
  | { kind: 'not_his' };

/** Whom personal texts speak of, by device. */
type People = Map<string, StoredPerson>;

/** Makes the payloads of messages for devices: the same bytes for all, or each its own where the text is personal. */
@Injectable()
export class RenderedPayloads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** In the order of `orders`, all of which are for devices that are let in. What they speak of is read together. */
  async render(orders: readonly Order[]): Promise<Rendered[]> {
    const rendered = new Map<Order, Rendered>();
    for (const order of orders) if (order.message.personal === null) rendered.set(order, sameForAll(order));
    const personal = orders.filter(({ message }) => message.personal !== null);
    const people = await this.#findPeople(personal);
    const now = this.clock.now();
    for (const group of grouped(personal, ({ message }) => messageKey(message)).values()) {
      for (const [order, made] of await this.#renderPersonal(group, people, now)) rendered.set(order, made);
    }
    return orders.map((order) => rendered.get(order) as Rendered);
  }

  /** @param orders of one message */
  async #renderPersonal(
    orders: readonly [Order, ...Order[]],
    people: People,
    now: Date,
  ): Promise<Map<Order, Rendered>> {
    const rendered = new Map<Order, Rendered>();
    const [{ message }] = orders;
    const personal = message.personal as PersonalMessage;
    const found = orders.map((order) => ({ order, person: personOf(order, people) }));
    for (const { order, person } of found) if (person === null) rendered.set(order, { kind: 'not_his' });
    const theirs = found.flatMap(({ order, person }) => (person === null ? [] : [{ order, person }]));
    const made = await this.#contentsOf(
      message,
      personal,
      theirs.map(({ person }) => person),
      now,
    );
    for (const [place, { order }] of theirs.entries()) {
      rendered.set(order, shown(order, made[place] as MessageContent | TemplateFailure));
    }
    return rendered;
  }

  async #contentsOf(
    message: KnownMessage,
    personal: PersonalMessage,
    people: readonly StoredPerson[],
    now: Date,
  ): Promise<(MessageContent | TemplateFailure)[]> {
    try {
      const { promoCode } = await personal.needs();
      const codes = promoCode ? await this.#claimCodes(message, people) : null;
      const facts = people.map((person) => ({ ...person, promoCode: codes?.get(person.userId) ?? null }));
      return await personal.contentsFor(facts, now);
    } catch (error) {
      if (error instanceof TemplateFailure) return people.map(() => error);
      throw error;
    }
  }

  /** One statement for each application. */
  async #findPeople(personal: readonly Order[]): Promise<People> {
    const people: People = new Map();
    for (const [appId, orders] of grouped(personal, ({ message }) => message.outgoing.appId)) {
      const deviceIds = new Set(orders.map(({ session }) => Number(session.identity?.deviceId ?? 0)));
      for (const [id, person] of await findPersonFacts(this.database, appId, [...deviceIds]))
        people.set(deviceKey(appId, String(id)), person);
    }
    return people;
  }

  /** For users alone who still own the device. */
  #claimCodes(message: KnownMessage, people: readonly StoredPerson[]): Promise<Map<string, string | null>> {
    const { appId, id: messageId } = message.outgoing;
    const { trackId = null, isTest } = message.content;
    const userIds = [...new Set(people.map(({ userId }) => userId))];
    const claim = { appId, messageId, trackId, isTest, userIds, now: this.clock.now() };
    return inTransaction(this.database, (executor) => claimPromoCodes(executor, claim));
  }
}

function sameForAll({ message, session }: Order): Rendered {
  return { kind: 'payload', payload: message.payloadFor(session.identity?.deviceType ?? null) };
}

function shown({ message, session }: Order, content: MessageContent | TemplateFailure): Rendered {
  if (content instanceof TemplateFailure) {
    return { kind: 'failed', state: 'failed', errorCode: content.code, reason: content.message };
  }
  const json = message.payloadWith(content, session.identity?.deviceType ?? null);
  return { kind: 'payload', payload: Buffer.from(JSON.stringify(json)) };
}

/** Null: the device is gone, or another user's. */
function personOf({ session: { identity } }: Order, people: People): StoredPerson | null {
  const person = identity === null ? undefined : people.get(deviceKey(identity.appId, identity.deviceId));
  return person !== undefined && person.userId === identity?.userId ? person : null;
}

function messageKey({ outgoing }: KnownMessage): string {
  return `${outgoing.id} ${outgoing.appId}`;
}

function grouped(orders: readonly Order[], keyOf: (order: Order) => string): Map<string, [Order, ...Order[]]> {
  const groups = new Map<string, [Order, ...Order[]]>();
  for (const order of orders) {
    const key = keyOf(order);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [order]);
    else group.push(order);
  }
  return groups;
}
