import { Inject, Injectable } from '@nestjs/common';
import { NO_DEVICE, type Clock, type MessageContent } from '@postrider/domain';
import { PersonFactsRepository, type StoredPerson } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { type PersonalMessage, TemplateFailure } from '@postrider/rendering';
import { deviceKey, type DeviceSession } from '../session/device-session';
import type { CachedMessage } from './message-cache.service';

/** A message for one device. */
export interface RenderRequest {
  message: CachedMessage;
  session: DeviceSession;
}

/** The payload for a device, or why there is none. */
export type Rendered =
  | { kind: 'payload'; payload: Buffer }
  | { kind: 'failed'; state: 'failed' | 'skipped'; errorCode: string; reason: string }
  /** The device belongs to another user by now, or was removed. */
  | { kind: 'not_owner' };

/** The facts about users that personal texts contain, by device. */
type People = Map<string, StoredPerson>;

/** Renders the payloads of messages: the same bytes for all devices, or one payload for each device if the text is personal. */
@Injectable()
export class PayloadRenderer {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly facts: PersonFactsRepository,
    private readonly promoCodes: PromoCodeClaims,
  ) {}

  /** Renders in the order of `requests`, all of which are for admitted devices. Facts about users are read in common statements. */
  async render(requests: readonly RenderRequest[]): Promise<Rendered[]> {
    const rendered = new Map<RenderRequest, Rendered>();
    for (const request of requests) if (request.message.personal === null) rendered.set(request, sameForAll(request));
    const personal = requests.filter(({ message }) => message.personal !== null);
    const people = await this.#findPeople(personal);
    const now = this.clock.now();
    for (const group of grouped(personal, ({ message }) => messageKey(message)).values()) {
      for (const [request, made] of await this.#renderPersonal(group, people, now)) rendered.set(request, made);
    }
    return requests.map((request) => rendered.get(request) as Rendered);
  }

  /** @param requests of one message */
  async #renderPersonal(
    requests: readonly [RenderRequest, ...RenderRequest[]],
    people: People,
    now: Date,
  ): Promise<Map<RenderRequest, Rendered>> {
    const rendered = new Map<RenderRequest, Rendered>();
    const [{ message }] = requests;
    const personal = message.personal as PersonalMessage;
    const found = requests.map((request) => ({ request, person: personOf(request, people) }));
    for (const { request, person } of found) if (person === null) rendered.set(request, { kind: 'not_owner' });
    const theirs = found.flatMap(({ request, person }) => (person === null ? [] : [{ request, person }]));
    const made = await this.#contentsOf(
      message,
      personal,
      theirs.map(({ person }) => person),
      now,
    );
    for (const [place, { request }] of theirs.entries()) {
      rendered.set(request, shown(request, made[place] as MessageContent | TemplateFailure));
    }
    return rendered;
  }

  async #contentsOf(
    message: CachedMessage,
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
  async #findPeople(personal: readonly RenderRequest[]): Promise<People> {
    const people: People = new Map();
    for (const [appId, requests] of grouped(personal, ({ message }) => message.outgoing.appId)) {
      const deviceIds = new Set(requests.map(({ session }) => session.identity?.deviceId ?? NO_DEVICE));
      for (const [id, person] of await this.facts.findOfDevices(appId, [...deviceIds]))
        people.set(deviceKey(appId, id), person);
    }
    return people;
  }

  /** Claims codes only for users who still own their device. */
  #claimCodes(message: CachedMessage, people: readonly StoredPerson[]): Promise<Map<string, string | null>> {
    const { appId, id: messageId } = message.outgoing;
    const { trackId = null, isTest } = message.content;
    const userIds = [...new Set(people.map(({ userId }) => userId))];
    const claim = { appId, messageId, trackId, isTest, userIds, now: this.clock.now() };
    return this.promoCodes.claim(claim);
  }
}

function sameForAll({ message, session }: RenderRequest): Rendered {
  return { kind: 'payload', payload: message.payloadFor(session.identity?.deviceType ?? null) };
}

function shown({ message, session }: RenderRequest, content: MessageContent | TemplateFailure): Rendered {
  if (content instanceof TemplateFailure) {
    return { kind: 'failed', state: 'failed', errorCode: content.code, reason: content.message };
  }
  const json = message.payloadWith(content, session.identity?.deviceType ?? null);
  return { kind: 'payload', payload: Buffer.from(JSON.stringify(json)) };
}

/** Null: the device was removed, or belongs to another user. */
function personOf({ session: { identity } }: RenderRequest, people: People): StoredPerson | null {
  const person = identity === null ? undefined : people.get(deviceKey(identity.appId, identity.deviceId));
  return person !== undefined && person.userId === identity?.userId ? person : null;
}

function messageKey({ outgoing }: CachedMessage): string {
  return `${outgoing.id} ${outgoing.appId}`;
}

function grouped(
  requests: readonly RenderRequest[],
  keyOf: (request: RenderRequest) => string,
): Map<string, [RenderRequest, ...RenderRequest[]]> {
  const groups = new Map<string, [RenderRequest, ...RenderRequest[]]>();
  for (const request of requests) {
    const key = keyOf(request);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [request]);
    else group.push(request);
  }
  return groups;
}
