/** No language has a longer tag. */
const MAX_LANGUAGE_TAG_LENGTH = 64;

/**
 * RFC 5646 §2.1, `langtag` or `privateuse`; without the irregular tags, which have replacements since 2009, and without
 * languages of four or more letters, because none is registered: `english` is a mistake.
 */
const LANGUAGE_TAG = new RegExp(
  [
    '^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}',
    '(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\\d{3}))?',
    '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*',
    '(?:-[a-wy-z\\d](?:-[a-z\\d]{2,8})+)*',
    '(?:-x(?:-[a-z\\d]{1,8})+)?',
    '|x(?:-[a-z\\d]{1,8})+)$',
  ].join(''),
  'i',
);

/** True if a text is a well-formed language tag (BCP 47): `fa`, `de-AT`, `zh-Hant-TW`. */
export function isLanguageTag(text: string): boolean {
  return text.length <= MAX_LANGUAGE_TAG_LENGTH && LANGUAGE_TAG.test(text);
}

/** Returns the tag among `tags` that means the language `tag`: the same text, whatever its case (RFC 5646 §2.1.1). */
export function sameTag(tags: readonly string[], tag: string): string | undefined {
  const wanted = tag.toLowerCase();
  return tags.find((one) => one.toLowerCase() === wanted);
}

/**
 * Former codes of languages and their Preferred-Value (RFC 5646 §4.5). Java, and so apps for Android, reports Hebrew as
 * `iw_IL` and Indonesian as `in_ID`.
 */
const FORMER_CODES: Readonly<Record<string, string>> = { in: 'id', iw: 'he', ji: 'yi', jw: 'jv', mo: 'ro' };
const FORMER = /^(?:in|iw|ji|jw|mo)(?=-|$)/;

/**
 * Finds the best of a few language tags for a locale, by the lookup of RFC 4647 §3.4. Case does not matter. Former codes
 * of a language mean the present one, unless there is a tag with the former one itself.
 */
export class LanguageLookup {
  readonly #tags: ReadonlyMap<string, string>;
  /** The same tags under the present codes of their languages. */
  readonly #presentTags: ReadonlyMap<string, string>;

  constructor(tags: readonly string[]) {
    this.#tags = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
    this.#presentTags = new Map([...this.#tags].map(([key, tag]) => [withPresentCode(key), tag]));
  }

  /**
   * @param locale the locale of a device or a user; `fa_IR` and `en_US.UTF-8` are read as the tags that they mean
   * @returns the tag as it was given; null: none fits
   */
  find(locale: unknown): string | null {
    if (typeof locale !== 'string' || locale.length > 4 * MAX_LANGUAGE_TAG_LENGTH) return null;
    const [plain = ''] = locale.trim().toLowerCase().split(/[.@]/, 1);
    let range = plain.replaceAll('_', '-');
    for (;;) {
      const tag = this.#tags.get(range) ?? this.#presentTags.get(withPresentCode(range));
      if (tag !== undefined) return tag;
      const end = range.lastIndexOf('-');
      if (end < 0) return null;
      range = withoutSingleton(range.slice(0, end));
    }
  }
}

function withPresentCode(tag: string): string {
  return tag.replace(FORMER, (code) => FORMER_CODES[code] ?? code);
}

/** A single letter or digit at the end introduces the part that was cut off behind it. */
function withoutSingleton(range: string): string {
  return range.at(-2) === '-' ? range.slice(0, -2) : range;
}
