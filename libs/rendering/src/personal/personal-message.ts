import type { JsonObject, MessageContent, PushVendor, VendorPayload } from '@postrider/domain';
import { buildPayload, createRenderer, type Renderer } from '../create-renderer';
import { platformOf } from '../platform-of';
import type { TrackedContent } from '../links/link-tracking';
import { checkPayloadSize } from '../limits/too-large';
import type { RenderableApplication, RenderableMessage } from '../renderable';
import type { Template } from '../templates/template';
import { ContentTemplates, renderTemplate } from './content-templates';
import { FilledPayloads } from './filled-payloads';
import type { PersonFacts } from './person-facts';
import { PersonScope } from './person-scope';

/** What templates name, for whoever looks that up. */
export interface PersonalNeeds {
  /** More about the person than who he is: any of the next three. */
  facts: boolean;
  user: boolean;
  device: boolean;
  tags: boolean;
  /** Of the user's attributes, those that are read; null: any may be. */
  attributes: readonly string[] | null;
  /** A promo code of his own. */
  promoCode: boolean;
}

/** A message that is made for each device, its templates parsed once. Pure: the same person gets the same at a moment. */
export interface PersonalMessage {
  readonly needs: PersonalNeeds;
  /** @throws TemplateFailure `template_failed`, `link_refused` */
  contentFor(person: PersonFacts, now: Date): MessageContent;
  /** The renderer of the message as it is for this person's device. @throws TemplateFailure as `contentFor` */
  rendererFor(person: PersonFacts, now: Date): Renderer;
  /** The payload for this person's device. @throws TemplateFailure as `contentFor`, and `payload_too_large` */
  payloadFor(vendor: PushVendor, person: PersonFacts, now: Date): VendorPayload;
  /** As `contentFor`, with the variables that its templates name and that have no value. */
  preview(person: PersonFacts, now: Date): { content: MessageContent; missing: string[] };
}

/**
 * @param track makes the links of each device its own; null when they are the same for all
 * @returns null for a message that is the same for everybody, or whose templates do not parse (no such one is accepted)
 */
export function createPersonalMessage(
  message: RenderableMessage,
  application: RenderableApplication,
  track: TrackedContent | null = null,
): PersonalMessage | null {
  const templates = new ContentTemplates(message.content);
  if (!templates.isPersonal && track === null) return null;
  const facts = factsOf(message);
  const filled = new FilledPayloads(templates, message, application);
  const contentFor = (person: PersonFacts, now: Date): MessageContent => {
    const content = templates.isPersonal ? templates.render(new PersonScope(person, facts, now)) : message.content;
    return track !== null && person.device !== null ? track(content, person.device.installationId) : content;
  };
  return {
    needs: needsOf(templates),
    contentFor,
    rendererFor: (person, now) => createRenderer({ ...message, content: contentFor(person, now) }, application),
    payloadFor: (vendor, person, now) => {
      const platform = platformOf(person.device?.deviceType ?? null);
      if (track === null && (vendor === 'fcm' || vendor === 'apns')) {
        const texts = templates.texts(new PersonScope(person, facts, now));
        const payload = filled.payloadFor(vendor, platform, texts);
        if (payload !== null) return payload;
      }
      const own = { ...message, content: contentFor(person, now) };
      return sized(buildPayload(own, application, vendor, { platform }));
    },
    preview: (person, now) => {
      const scope = new PersonScope(person, facts, now, true);
      return { content: templates.render(scope), missing: [...(scope.missing ?? [])] };
    },
  };
}

/** The SMS of a message whose `fallback.content` is a template. */
export interface PersonalFallback {
  readonly needs: PersonalMessage['needs'];
  /** @throws TemplateFailure `template_failed` */
  textFor(person: PersonFacts, now: Date): string;
}

/** @returns null when the SMS is the same for everybody */
export function createPersonalFallback(message: Omit<RenderableMessage, 'kind'>): PersonalFallback | null {
  const { fallback } = new ContentTemplates(message.content);
  if (fallback === null) return null;
  return personalFallback(fallback, factsOf(message));
}

function personalFallback(template: Template, message: JsonObject): PersonalFallback {
  return {
    needs: needsOf(template),
    textFor: (person, now) => renderTemplate(template, new PersonScope(person, message, now), 'fallback.content'),
  };
}

function needsOf({ globals, attributes }: Pick<Template, 'globals' | 'attributes'>): PersonalNeeds {
  const [user, device, tags] = [globals.has('user'), globals.has('device'), globals.has('tags')];
  const named = attributes && [...attributes];
  return { facts: user || device || tags, user, device, tags, attributes: named, promoCode: globals.has('promoCode') };
}

/** The variable `message`. */
function factsOf({ id, channel, acceptedAt, expiresAt, content }: Omit<RenderableMessage, 'kind'>): JsonObject {
  return {
    id,
    channel,
    trackId: content.trackId ?? null,
    clientId: content.clientId ?? null,
    createdAt: acceptedAt.toISOString(),
    expireAt: expiresAt.toISOString(),
  };
}

function sized(payload: VendorPayload): VendorPayload {
  payload.isForOne = true;
  checkPayloadSize(payload);
  return payload;
}
