import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  DEFAULT_EDITION,
  type Edition,
  editionKey,
  groupBy,
  LOCALE_ATTRIBUTE,
  type MessageContent,
  NO_DEVICE,
} from '@postrider/domain';
import { PersonFactsRepository, type StoredPerson, variantOfUser } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { type PersonalMessage, TemplateFailure } from '@postrider/rendering';
import { deviceKey, type DeviceSession } from '../session/device-session';
import type { CachedEdition, CachedMessage } from './message-cache.service';

/** A message for one device. */
export interface RenderRequest {
  message: CachedMessage;
  session: DeviceSession;
}

/** The payload for a device, or the reason why there is none. */
export type Rendered =
  | { kind: 'payload'; payload: Buffer; language: string | null }
  | { kind: 'failed'; state: 'failed' | 'skipped'; errorCode: string; reason: string }
  /** The device belongs to another user by now, or was removed. */
  | { kind: 'not_owner' };

/** The facts about users that personal texts contain and that choose an edition, by device. */
type People = Map<string, StoredPerson>;

/** A message for one device, in the edition that it gets. */
interface ChosenRequest {
  request: RenderRequest;
  edition: Edition;
  /** Null: not read, because nothing depends on it. */
  person: StoredPerson | null;
}

/** The same for an edition with personal texts. */
interface PersonalRequest extends ChosenRequest {
  person: StoredPerson;
  personal: PersonalMessage;
}

/** Renders the payloads of messages: the same bytes for all devices that get an edition, or one payload for each device if the text is personal. */
@Injectable()
export class PayloadRenderer {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly facts: PersonFactsRepository,
    private readonly promoCodes: PromoCodeClaims,
  ) {}

  /**
   * Renders in the order of `requests`, all of which are for admitted devices. Facts about users are read in common
   * statements.
   */
  async render(requests: readonly RenderRequest[]): Promise<Rendered[]> {
    const rendered = new Map<RenderRequest, Rendered>();
    const people = await this.#findPeople(requests.filter(({ message }) => dependsOnPerson(message)));
    const chosen = requests.flatMap((request) => {
      const one = choose(request, people);
      if (one === null) rendered.set(request, { kind: 'not_owner' });
      return one ?? [];
    });
    const personal: PersonalRequest[] = [];
    for (const one of chosen) {
      const { personal: texts } = editionOf(one);
      if (texts === null || one.person === null) rendered.set(one.request, sameForAll(one));
      else personal.push({ ...one, person: one.person, personal: texts });
    }
    const now = this.clock.now();
    for (const group of groupBy(personal, editionKeyOf).values()) {
      for (const [request, made] of await this.#renderPersonal(group, now)) rendered.set(request, made);
    }
    return requests.map((request) => rendered.get(request) as Rendered);
  }

  /** @param requests of one edition of a message */
  async #renderPersonal(
    requests: readonly [PersonalRequest, ...PersonalRequest[]],
    now: Date,
  ): Promise<Map<RenderRequest, Rendered>> {
    const [first] = requests;
    const people = requests.map(({ person }) => person);
    const made = await this.#contentsOf(first.request.message, first.personal, people, now);
    return new Map(
      requests.map((one, place) => [one.request, shown(one, made[place] as MessageContent | TemplateFailure)]),
    );
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
  async #findPeople(asked: readonly RenderRequest[]): Promise<People> {
    const people: People = new Map();
    for (const [appId, requests] of groupBy(asked, ({ message }) => message.outgoing.appId)) {
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

/** The text of a message with several editions depends on the locale of its recipient. */
export function dependsOnPerson(message: CachedMessage): boolean {
  return message.choices !== null || message.edition(DEFAULT_EDITION).personal !== null;
}

/** Null: the device was removed, or belongs to another user. */
function choose(request: RenderRequest, people: People): ChosenRequest | null {
  const { message } = request;
  if (!dependsOnPerson(message)) return { request, edition: DEFAULT_EDITION, person: null };
  const person = personOf(request, people);
  if (person === null) return null;
  const variant = variantOfUser(
    { ...message.outgoing, content: message.content, winner: message.winner },
    person.userId,
  );
  const edition =
    message.choices?.ofVariant(variant).of(person.device.locale, person.attributes[LOCALE_ATTRIBUTE]) ??
    DEFAULT_EDITION;
  return { request, edition, person };
}

function editionOf({ request, edition }: ChosenRequest): CachedEdition {
  return request.message.edition(edition);
}

function sameForAll(one: ChosenRequest): Rendered {
  const payload = editionOf(one).payloadFor(one.request.session.identity?.deviceType ?? null);
  return { kind: 'payload', payload, language: one.edition.language };
}

function shown(one: ChosenRequest, content: MessageContent | TemplateFailure): Rendered {
  if (content instanceof TemplateFailure) {
    return { kind: 'failed', state: 'failed', errorCode: content.code, reason: content.message };
  }
  const json = editionOf(one).payloadWith(content, one.request.session.identity?.deviceType ?? null);
  return { kind: 'payload', payload: Buffer.from(JSON.stringify(json)), language: one.edition.language };
}

/** Null: the device was removed, or belongs to another user. */
function personOf({ session: { identity } }: RenderRequest, people: People): StoredPerson | null {
  const person = identity === null ? undefined : people.get(deviceKey(identity.appId, identity.deviceId));
  return person !== undefined && person.userId === identity?.userId ? person : null;
}

function editionKeyOf({ request: { message }, edition }: ChosenRequest): string {
  const { id, appId } = message.outgoing;
  return `${id} ${appId} ${editionKey(edition)}`;
}
