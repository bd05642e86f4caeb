import { LanguageLookup } from './language-tag';
import { contentOfVariant, withFields } from './campaign-test';
import type { LocalizedContent, MessageContent } from './message';

/**
 * Which of a message's contents a recipient gets. Everything that renders a message takes the content of one edition
 * (`contentOfEdition`), so any further difference within a message belongs here.
 */
export interface Edition {
  /** A tag of the message's `localized`, as its sender wrote it; null: the default. */
  language: string | null;
  /** The name of one of the message's `variants`. Left out: none. */
  variant?: string;
}

/** The content for everybody else. */
export const DEFAULT_EDITION: Edition = { language: null };

/** True if a message has more than its default edition. Most have not, and then nothing is read to choose one. */
export function hasEditions({ localized, variants }: MessageContent): boolean {
  return localized !== undefined || variants !== undefined;
}

/**
 * Returns all editions of a message, the default language first. For a message with variants, those of each variant.
 */
export function editionsOf(content: MessageContent): Edition[] {
  if (content.variants === undefined) return languagesOf(content);
  return content.variants.flatMap(({ name: variant }) =>
    languagesOf(contentOfVariant(content, variant)).map(({ language }) => ({ language, variant })),
  );
}

function languagesOf({ localized }: MessageContent): Edition[] {
  if (localized === undefined) return [DEFAULT_EDITION];
  return [DEFAULT_EDITION, ...Object.keys(localized).map((language) => ({ language }))];
}

/** A name of the edition that is unique within its message. */
export function editionKey({ language, variant }: Edition): string {
  return variant === undefined ? (language ?? '') : `${language ?? ''}\n${variant}`;
}

/**
 * The content of an edition: the default content with the fields of the edition in place of its own, and a notification
 * field by field. It has no further editions. An edition that the message does not have is the default.
 */
export function contentOfEdition(content: MessageContent, { language, variant }: Edition): MessageContent {
  const ofVariant = contentOfVariant(content, variant ?? null);
  const { localized, ...plain } = ofVariant;
  if (localized === undefined) return ofVariant;
  const own = language !== null && Object.hasOwn(localized, language) ? localized[language] : undefined;
  return own === undefined ? plain : withLocalized(plain, own);
}

function withLocalized(plain: MessageContent, own: LocalizedContent): MessageContent {
  const { notification, fallback, ...texts } = own;
  const made: MessageContent = { ...plain, ...texts };
  if (notification !== undefined) made.notification = withFields(plain.notification, notification);
  if (fallback !== undefined && plain.fallback !== undefined) made.fallback = { ...plain.fallback, ...fallback };
  return made;
}

/** Chooses the editions of one message, or of one of its variants. */
export class EditionChoice {
  readonly #languages: LanguageLookup;
  /** One object for each edition, so that equal editions are easily recognised. */
  readonly #editions: ReadonlyMap<string | null, Edition>;

  constructor(content: MessageContent, variant: string | null = null) {
    const own = variant === null ? content : contentOfVariant(content, variant);
    const editions = languagesOf(own).map((edition) => (variant === null ? edition : { ...edition, variant }));
    this.#languages = new LanguageLookup(Object.keys(own.localized ?? {}));
    this.#editions = new Map(editions.map((edition) => [edition.language, edition]));
  }

  /** True if the language of a recipient makes a difference. */
  get hasLanguages(): boolean {
    return this.#editions.size > 1;
  }

  /** The edition by the device's locale only. Null: it depends on the device's user. */
  ofLocale(locale: unknown): Edition | null {
    const language = this.#languages.find(locale);
    return language === null ? null : this.#of(language);
  }

  /** The edition for the first of these locales that has a language. */
  of(...locales: readonly unknown[]): Edition {
    for (const locale of locales) {
      const edition = this.ofLocale(locale);
      if (edition !== null) return edition;
    }
    return this.#of(null);
  }

  #of(language: string | null): Edition {
    return this.#editions.get(language) ?? DEFAULT_EDITION;
  }
}

/** Chooses the editions of a message with or without variants. */
export class EditionChoices {
  readonly #ofVariants = new Map<string | null, EditionChoice>();

  constructor(private readonly content: MessageContent) {}

  /** The choice among the languages of a variant. Null: of a message without variants. */
  ofVariant(variant: string | null): EditionChoice {
    let choice = this.#ofVariants.get(variant);
    if (choice === undefined) this.#ofVariants.set(variant, (choice = new EditionChoice(this.content, variant)));
    return choice;
  }
}

/** The attribute with a user's language. */
export const LOCALE_ATTRIBUTE = 'locale';
