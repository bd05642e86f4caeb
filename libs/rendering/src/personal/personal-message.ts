import { inParts, type MessageContent, type PushVendor, type VendorPayload } from '@postrider/domain';
import { buildPayload } from '../create-renderer';
import { platformOf, type RenderableApplication, type RenderableMessage } from '../renderable';
import type { TrackedContent } from '../links/tracked-link';
import { checkPayloadSize } from '../payloads/payload-size';
import { TemplateFailure } from '../templates/template-failure';
import { ContentTemplates } from './content-templates';
import { FilledPayloads } from './filled-payloads';
import type { MessageFacts, PersonFacts } from '../templates/person-scope';
import { PEOPLE_AT_ONCE, type TextNeeds, TextProgram } from './text-program';

/** What templates use, so that it can be looked up. */
export interface PersonalNeeds {
  /** More about the person than their ids: any of the next three. */
  facts: boolean;
  user: boolean;
  device: boolean;
  tags: boolean;
  /** The user attributes that are read. Null: any. */
  attributes: readonly string[] | null;
  /** A promo code of their own. */
  promoCode: boolean;
}

/** A message that is made for each device. Pure: the same person gets the same result at the same time. */
export interface PersonalMessage {
  /** True if a payload can be made synchronously (`payloadFor`): its texts are plain ones. */
  readonly isPlain: boolean;
  /** @throws TemplateFailure if its templates cannot be parsed */
  needs(): Promise<PersonalNeeds>;
  /** The content for each of these people, or the reason why there is none: `template_failed`, `link_refused`. */
  contentsFor(people: readonly PersonFacts[], now: Date): Promise<(MessageContent | TemplateFailure)[]>;
  /**
   * The payload for each of these people's devices, or the reason why there is none: those of `contentsFor`, and
   * `payload_too_large`.
   */
  payloadsFor(
    vendor: PushVendor,
    people: readonly PersonFacts[],
    now: Date,
  ): Promise<(VendorPayload | TemplateFailure)[]>;
  /** The same for one person, of a plain message. @throws TemplateFailure */
  payloadFor(vendor: PushVendor, person: PersonFacts, now: Date): VendorPayload;
  /** Like `contentsFor`, with the variables that its templates use and that have no value. */
  previews(people: readonly PersonFacts[], now: Date): Promise<(PersonalPreview | TemplateFailure)[]>;
}

/** A message for one person, with the variables that had no value. */
export interface PersonalPreview {
  content: MessageContent;
  missing: string[];
}

/**
 * @param track makes the links of each device different; null if they are the same for all
 * @returns null for a message that is the same for everybody
 */
export function createPersonalMessage(
  message: RenderableMessage,
  application: RenderableApplication,
  track: TrackedContent | null = null,
): PersonalMessage | null {
  const templates = new ContentTemplates(message.content);
  if (templates.sources.length === 0 && track === null) return null;
  const program = new TextProgram(templates.sources, factsOf(message));
  return new MadeMessage(message, application, { templates, program, track });
}

class MadeMessage implements PersonalMessage {
  readonly #filled: FilledPayloads;

  constructor(
    private readonly message: RenderableMessage,
    private readonly application: RenderableApplication,
    private readonly parts: { templates: ContentTemplates; program: TextProgram; track: TrackedContent | null },
  ) {
    this.#filled = new FilledPayloads(parts.templates, message, application);
  }

  get isPlain(): boolean {
    return this.parts.program.isPlain;
  }

  async needs(): Promise<PersonalNeeds> {
    return needsOf(await this.parts.program.needs());
  }

  contentsFor(people: readonly PersonFacts[], now: Date): Promise<(MessageContent | TemplateFailure)[]> {
    return this.#each(people, now, (person, texts) => this.#content(person, texts));
  }

  payloadsFor(
    vendor: PushVendor,
    people: readonly PersonFacts[],
    now: Date,
  ): Promise<(VendorPayload | TemplateFailure)[]> {
    return this.#each(people, now, (person, texts) => this.#payload(vendor, person, texts));
  }

  payloadFor(vendor: PushVendor, person: PersonFacts, now: Date): VendorPayload {
    return this.#payload(vendor, person, this.parts.program.textsFor(person, now));
  }

  async previews(people: readonly PersonFacts[], now: Date): Promise<(PersonalPreview | TemplateFailure)[]> {
    const made = await this.parts.program.render(people, now, true);
    return made.map((one) =>
      one instanceof TemplateFailure
        ? one
        : attempt(() => ({ content: this.#rendered(one.texts), missing: one.missing })),
    );
  }

  /**
   * A few people at a time, so that the rest of the process has its turn, and nobody waits for everybody else's texts.
   */
  async #each<T>(
    people: readonly PersonFacts[],
    now: Date,
    make: (person: PersonFacts, texts: readonly string[]) => T,
  ): Promise<(T | TemplateFailure)[]> {
    const made: (T | TemplateFailure)[] = [];
    for (const some of inParts(people, PEOPLE_AT_ONCE)) {
      for (const [place, texts] of (await this.parts.program.render(some, now)).entries()) {
        const person = some[place] as PersonFacts;
        made.push(texts instanceof TemplateFailure ? texts : attempt(() => make(person, texts.texts)));
      }
    }
    return made;
  }

  #rendered(texts: readonly string[]): MessageContent {
    this.parts.templates.checkLinks(texts);
    return this.parts.templates.contentWith(texts);
  }

  #content({ device }: PersonFacts, texts: readonly string[]): MessageContent {
    const { track } = this.parts;
    const content = this.#rendered(texts);
    return track !== null && device !== null ? track(content, device.installationId) : content;
  }

  #payload(vendor: PushVendor, person: PersonFacts, texts: readonly string[]): VendorPayload {
    const platform = platformOf(person.device?.deviceType ?? null);
    if (this.parts.track === null && (vendor === 'fcm' || vendor === 'apns')) {
      this.parts.templates.checkLinks(texts);
      const payload = this.#filled.payloadFor(vendor, platform, texts);
      if (payload !== null) return payload;
    }
    const own = { ...this.message, content: this.#content(person, texts) };
    return sized(buildPayload(own, this.application, vendor, { platform }));
  }
}

/** The SMS of a message whose `fallback.content` is a template. */
export interface PersonalFallback {
  /** @throws TemplateFailure if its template cannot be parsed */
  needs(): Promise<PersonalNeeds>;
  /** The text for each of these people, or the reason why there is none (`template_failed`). */
  textsFor(people: readonly PersonFacts[], now: Date): Promise<(string | TemplateFailure)[]>;
}

/** @returns null if the SMS is the same for everybody */
export function createPersonalFallback(message: Omit<RenderableMessage, 'kind'>): PersonalFallback | null {
  const { fallback } = new ContentTemplates(message.content);
  if (fallback === null) return null;
  const program = new TextProgram([fallback], factsOf(message));
  return {
    needs: async () => needsOf(await program.needs()),
    textsFor: async (people, now) =>
      (await program.render(people, now)).map((made) =>
        made instanceof TemplateFailure ? made : (made.texts[0] as string),
      ),
  };
}

function attempt<T>(make: () => T): T | TemplateFailure {
  try {
    return make();
  } catch (error) {
    if (error instanceof TemplateFailure) return error;
    throw error;
  }
}

function needsOf({ globals, attributes }: TextNeeds): PersonalNeeds {
  const [user, device, tags] = [globals.has('user'), globals.has('device'), globals.has('tags')];
  const named = attributes && [...attributes];
  return { facts: user || device || tags, user, device, tags, attributes: named, promoCode: globals.has('promoCode') };
}

function factsOf({ id, channel, acceptedAt, expiresAt, content }: Omit<RenderableMessage, 'kind'>): MessageFacts {
  const message = {
    id,
    channel,
    trackId: content.trackId ?? null,
    clientId: content.clientId ?? null,
    createdAt: acceptedAt.toISOString(),
    expireAt: expiresAt.toISOString(),
  };
  return { message, variables: content.variables ?? {} };
}

function sized(payload: VendorPayload): VendorPayload {
  payload.isForOne = true;
  checkPayloadSize(payload);
  return payload;
}
