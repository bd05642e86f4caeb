import { contentOfVariant, LEAST_VARIANTS, type MessageContent } from '@postrider/domain';
import type { MessageContentResponse, VariantResponse } from '@postrider/server/document';
import { hasTest, type MessageDraft, TTL_SECONDS, type VariantDraft } from './message-draft';
import { localizedOf } from './message-languages';
import { actionOf, isJson, type MessageBody, readFurtherFields, withoutEmpty } from './message-body';
import { newKey } from './segment-draft';

/** A variant with nothing written yet: all of it is the message's. */
export function newVariant(name: string): VariantDraft {
  return {
    ...{ key: newKey(), name, weight: '1', title: '', content: '', alertText: '', clickUrl: '', mediaUrl: '' },
    ...{ actions: [], data: '', more: '', languages: [] },
  };
}

/** The fewest variants that a test has. */
export function newTest(): VariantDraft[] {
  const variants: VariantDraft[] = [];
  while (variants.length < LEAST_VARIANTS) variants.push(newVariant(freeName(variants)));
  return variants;
}

/** A letter that no variant is called. */
export function freeName(variants: readonly VariantDraft[]): string {
  const taken = new Set(variants.map(({ name }) => name.trim()));
  return [...'ABCDEFGHIJK'].find((letter) => !taken.has(letter)) ?? '';
}

/** The share of each variant among those who get one, from 0 to 1; 0 while a weight is no number. */
export function sharesOf(variants: readonly VariantDraft[]): number[] {
  const weights = variants.map(({ weight }) => Math.max(0, Number(weight) || 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : weight / total));
}

/** A part of an audience: its share of the whole, and about how many devices that is. */
interface AudiencePart {
  devices: number;
  share: number;
}

/**
 * Returns how an audience is divided: the exact division follows from the users' ids, and comes close to this one.
 * @param devices all devices that are not held out
 */
export function partsOf(draft: MessageDraft, devices: number): { variants: AudiencePart[]; waiting: AudiencePart } {
  const first = draft.winner.kind === 'none' ? 1 : Number(draft.winner.share) / 100;
  const part = (share: number): AudiencePart => ({ devices: Math.round(devices * share), share });
  return {
    variants: sharesOf(draft.variants).map((share) => part(share * first)),
    waiting: part(1 - first),
  };
}

/** `variants` of a draft, empty fields left out; absent when it has none, or its users are named. */
export function variantsOf(draft: MessageDraft): MessageContentResponse['variants'] {
  return hasTest(draft) ? draft.variants.map((variant) => variantOf(draft, variant)) : undefined;
}

/** Returns `winner` of a draft; absent if nobody waits for the best variant. */
export function winnerOf(draft: MessageDraft): MessageContentResponse['winner'] {
  const { kind, metric, share } = draft.winner;
  if (!hasTest(draft) || kind === 'none') return undefined;
  return { metric, after: afterSeconds(draft), share: Number(share) };
}

/** Returns how long the others wait. */
export function afterSeconds({ winner: { after } }: MessageDraft): number {
  return Math.round(Number(after.amount) * TTL_SECONDS[after.unit]);
}

/** JSON that is not finished yet says nothing. */
function variantOf(draft: MessageDraft, variant: VariantDraft): VariantResponse {
  const { name, weight, title, content, alertText, clickUrl, mediaUrl, actions, data } = variant;
  const { notification: further, ...more } = moreOf(variant) ?? {};
  const isSilent = more.silent ?? draft.silent;
  const shown = withoutEmpty({
    title,
    clickUrl: clickUrl.trim(),
    mediaUrl: mediaUrl.trim(),
    actions: actions.length === 0 ? undefined : actions.map(actionOf),
  });
  const notification = { ...further, ...(isSilent ? {} : shown) };
  return {
    ...more,
    name: name.trim(),
    weight: Number(weight),
    ...withoutEmpty({
      content,
      alertText: isSilent ? '' : alertText,
      localized: localizedOf(draft, variant.languages),
    }),
    ...(isJson(data) && data.trim() !== '' ? { data: JSON.parse(data) as VariantResponse['data'] } : {}),
    ...(Object.keys(notification).length === 0 ? {} : { notification }),
  };
}

/** Returns the other fields of a variant; null while they are not an object yet. */
export function moreOf({ more }: VariantDraft): Partial<VariantResponse> | null {
  return readFurtherFields(more);
}

/**
 * A body without variants as those get it who get one of the draft's.
 *
 * @param key the variant's; null, or of none: the body as it is
 */
export function asVariant<Body extends MessageBody>(draft: MessageDraft, body: Body, key: string | null): Body {
  const variant = draft.variants.find((one) => one.key === key);
  if (variant === undefined) return body;
  const own = variantOf(draft, variant);
  return contentOfVariant({ ...body, variants: [own] } as MessageContent, own.name) as Body;
}
