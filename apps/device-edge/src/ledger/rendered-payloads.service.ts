import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, findPersonFacts, inTransaction, type StoredPerson } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { claimPromoCodes } from '@postrider/promo';
import { TemplateFailure } from '@postrider/rendering';
import type { Session } from '../session/session';
import { deviceKey } from './connections';
import type { KnownMessage } from './message-cache';

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

/** What personal texts speak of: people by device, codes by message and user. */
interface Facts {
  people: Map<string, StoredPerson>;
  codes: Map<string, Map<string, string | null>>;
}

/** Makes the payloads of messages for devices: the same bytes for all, or each its own where the text is personal. */
@Injectable()
export class RenderedPayloads {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** In the order of `orders`, all of which are for devices that are let in. What they speak of is read together. */
  async render(orders: readonly Order[]): Promise<Rendered[]> {
    const personal = orders.filter(({ message }) => message.personal !== null);
    const people = await this.#findPeople(personal);
    const facts = { people, codes: await this.#claimCodes(personal, people) };
    const now = this.clock.now();
    return orders.map((order) => renderOne(order, facts, now));
  }

  /** One statement for each application. */
  async #findPeople(personal: readonly Order[]): Promise<Facts['people']> {
    const people: Facts['people'] = new Map();
    for (const [appId, orders] of grouped(personal, ({ message }) => message.outgoing.appId)) {
      const deviceIds = new Set(orders.map(({ session }) => Number(session.identity?.deviceId ?? 0)));
      for (const [id, person] of await findPersonFacts(this.database, appId, [...deviceIds]))
        people.set(deviceKey(appId, String(id)), person);
    }
    return people;
  }

  /** For users alone who still own the device. */
  async #claimCodes(personal: readonly Order[], people: Facts['people']): Promise<Facts['codes']> {
    const needing = personal.filter(({ message }) => message.personal?.needs.promoCode === true);
    const codes: Facts['codes'] = new Map();
    for (const [key, orders] of grouped(needing, ({ message }) => messageKey(message))) {
      const [{ message }] = orders;
      const userIds = orders.flatMap((order) => personOf(order, people)?.userId ?? []);
      const { appId, id: messageId } = message.outgoing;
      const { trackId = null, isTest } = message.content;
      const claim = { appId, messageId, trackId, isTest, now: this.clock.now() };
      const claimed = await inTransaction(this.database, (executor) =>
        claimPromoCodes(executor, { ...claim, userIds: [...new Set(userIds)] }),
      );
      codes.set(key, claimed);
    }
    return codes;
  }
}

function renderOne(order: Order, { people, codes }: Facts, now: Date): Rendered {
  const { message, session } = order;
  const deviceType = session.identity?.deviceType ?? null;
  if (message.personal === null) return { kind: 'payload', payload: message.payloadFor(deviceType) };
  const person = personOf(order, people);
  if (person === null) return { kind: 'not_his' };
  try {
    const promoCode = codes.get(messageKey(message))?.get(person.userId) ?? null;
    const json = message.personal.rendererFor({ ...person, promoCode }, now).connectionPayload({ deviceType });
    return { kind: 'payload', payload: Buffer.from(JSON.stringify(json)) };
  } catch (error) {
    if (!(error instanceof TemplateFailure)) throw error;
    return { kind: 'failed', state: 'failed', errorCode: error.code, reason: error.message };
  }
}

/** Null: the device is gone, or another user's. */
function personOf({ session: { identity } }: Order, people: Facts['people']): StoredPerson | null {
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
