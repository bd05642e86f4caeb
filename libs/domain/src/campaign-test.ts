import {
  type CampaignVariant,
  type LocalizedContent,
  type MessageContent,
  type Notification,
  VARIANT_FIELDS,
} from './message';
import { sameTag } from './language-tag';

/** The largest percentage of a campaign's users that may be held out. */
export const MAX_HOLDOUT_PERCENT = 50;

/** How many variants a campaign has. */
export const LEAST_VARIANTS = 2;
export const MOST_VARIANTS = 10;
/** The largest weight of a variant: as fine as a tenth of a per mille. */
export const MAX_WEIGHT = 10_000;

/** After how many seconds a winner may be chosen. */
export const MIN_WINNER_SECONDS = 60;
export const MAX_WINNER_SECONDS = 604_800;

/** Places of users are whole numbers from 0 up to this one. */
export const PLACES = 2 ** 32;

/** The place of a user in a campaign: three independent hashes, each from 0 up to `PLACES`. */
export interface UserPlaces {
  /** Decides who is held out. */
  holdout: number;
  /** Decides who waits for the winner. */
  share: number;
  /** Decides who gets which variant. */
  variant: number;
}

/** The number of places of a share of the users. */
export function placesOfShare(share: number): number {
  return Math.round(share * PLACES);
}

/** For each variant, in order, the place at which the next one begins. */
export function variantEnds(variants: readonly Pick<CampaignVariant, 'weight'>[]): number[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let before = 0;
  return variants.map(({ weight }) => placesOfShare((before += weight) / total));
}

/** The parts of a message that decide what a user gets. */
type DividedContent = Pick<MessageContent, 'variants' | 'winner' | 'holdout'>;

/** Which part of a campaign a user belongs to; `rest` waits for the winner. */
type CampaignGroup = { kind: 'everybody' | 'holdout' | 'rest' } | { kind: 'variant'; name: string };

/** The part of a campaign that a user with these places belongs to. */
export function campaignGroupOf({ variants, winner, holdout = 0 }: DividedContent, places: UserPlaces): CampaignGroup {
  if (places.holdout < placesOfShare(holdout / 100)) return { kind: 'holdout' };
  if (variants === undefined) return { kind: 'everybody' };
  if (winner !== undefined && places.share >= placesOfShare(winner.share / 100)) return { kind: 'rest' };
  const place = variantEnds(variants).findIndex((end) => places.variant < end);
  return { kind: 'variant', name: (variants[place] as CampaignVariant).name };
}

/**
 * The variant that a user with these places gets.
 *
 * @param chosen the name of the winner; null: there is none yet
 * @returns null: none (yet)
 */
export function variantFor(content: DividedContent, places: UserPlaces, chosen: string | null): string | null {
  const group = campaignGroupOf(content, places);
  if (group.kind === 'variant') return group.name;
  return group.kind === 'rest' ? chosen : null;
}

/** The salt of a campaign's hashes: campaigns of one track id divide their users in the same way. */
export function campaignSalt(trackId: string | null | undefined, messageId: string): string {
  return trackId ? `track ${trackId}` : `message ${messageId}`;
}

/**
 * The content of a variant in every language: fields of the variant override the message's, a notification field by
 * field, also if the message has other content for a language. A variant may have content of its own for languages.
 */
export function contentOfVariant(content: MessageContent, name: string | null): MessageContent {
  const { variants, ...plain } = content;
  if (variants === undefined) return content;
  const variant = variants.find((one) => one.name === name);
  if (variant === undefined) return plain;
  const { notification } = variant;
  const made: MessageContent = { ...plain, ...fieldsOf(variant) };
  if (notification !== undefined) made.notification = withFields(plain.notification, notification);
  const languages = localizedOfVariant(plain.localized, variant);
  if (languages !== undefined) made.localized = languages;
  return made;
}

/** Fields that replace the message's as a whole. */
const WHOLE_FIELDS = VARIANT_FIELDS.filter((name) => name !== 'notification' && name !== 'localized');

function fieldsOf(variant: CampaignVariant): Partial<MessageContent> {
  const said = WHOLE_FIELDS.filter((name) => variant[name] !== undefined);
  return Object.fromEntries(said.map((name) => [name, variant[name]]));
}

function localizedOfVariant(
  usual: MessageContent['localized'],
  { localized: own, ...variant }: CampaignVariant,
): MessageContent['localized'] {
  if (usual === undefined && own === undefined) return undefined;
  const made: Record<string, LocalizedContent> = {};
  for (const [tag, words] of Object.entries(usual ?? {})) made[tag] = withoutFieldsOf(words, variant);
  for (const [tag, words] of Object.entries(own ?? {})) {
    const known = sameTag(Object.keys(made), tag) ?? tag;
    const before = made[known];
    made[known] = { ...before, ...words };
    if (words.notification) made[known].notification = withFields(before?.notification, words.notification);
  }
  return made;
}

/** The content for a language without the fields that the variant overrides for everybody. */
function withoutFieldsOf(
  { content, alertText, notification, ...words }: LocalizedContent,
  variant: Omit<CampaignVariant, 'localized'>,
): LocalizedContent {
  if (content !== undefined && variant.content === undefined) words = Object.assign({}, words, { content });
  if (alertText !== undefined && variant.alertText === undefined) words = Object.assign({}, words, { alertText });
  if (notification === undefined) return words;
  const own = variant.notification ?? {};
  const left = Object.entries(notification).filter(([name]) => !(name in own));
  return left.length === 0 ? words : Object.assign({}, words, { notification: Object.fromEntries(left) });
}

/** A notification with some fields replaced. Unknown fields are replaced one by one too. */
export function withFields(plain: Notification | undefined, own: Notification): Notification {
  const extra = own.extra === undefined ? plain?.extra : { ...plain?.extra, ...own.extra };
  return { ...plain, ...own, ...(extra === undefined ? {} : { extra }) };
}
