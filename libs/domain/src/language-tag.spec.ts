import fc from 'fast-check';
import { isLanguageTag, LanguageLookup, sameTag } from './language-tag';

const subtag = fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/);
const language = fc.constantFrom('fa', 'de', 'en', 'zh', 'sr', 'az');
const others = fc.array(
  fc.constantFrom('Latn', 'Hant', 'IR', 'de', 'AT', 'x', 'a', 'u', '419', 'rozaj', '1994', 'nu', 'lots', 'CN'),
  { maxLength: 5 },
);
const range = fc.tuple(language, others).map(([first, rest]) => [first, ...rest].join('-'));
const anyCase = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.boolean()).map(([tag, isUpper]) => (isUpper ? tag.toUpperCase() : tag));

/**
 * RFC 4647 §3.4, word for word: lists every range that the lookup tries, in order; the first one that equals a tag is
 * the answer.
 */
function lookUp(tags: readonly string[], locale: string): string | null {
  const tried: string[] = [];
  let subtags = locale.toLowerCase().split('-');
  while (subtags.length > 0) {
    tried.push(subtags.join('-'));
    subtags = subtags.slice(0, -1);
    if (subtags.length > 1 && (subtags.at(-1) as string).length === 1) subtags = subtags.slice(0, -1);
  }
  for (const one of tried) {
    const found = tags.find((tag) => tag.toLowerCase() === one);
    if (found !== undefined) return found;
  }
  return null;
}

describe('the language of somebody', () => {
  it('is what the lookup of RFC 4647 finds, in the spelling of the tag', () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(anyCase(range), { maxLength: 12, selector: (tag) => tag.toLowerCase() }),
        anyCase(range),
        (tags, locale) => {
          const expected = lookUp(tags, locale);
          expect(new LanguageLookup(tags).find(locale)).toBe(expected);
          if (expected !== null) found += 1;
        },
      ),
      { numRuns: 2_000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  it('falls back to shorter tags, never to longer ones', () => {
    const lookup = new LanguageLookup(['zh-Hant', 'de-AT', 'fa', 'en-GB']);
    expect(lookup.find('zh-Hant-CN-x-private1-private2')).toBe('zh-Hant');
    expect(lookup.find('de')).toBeNull();
    expect(lookup.find('en-US')).toBeNull();
    expect(lookup.find('FA-ir')).toBe('fa');
  });

  it('is found under the present code of a language where a phone reports the former one, and the other way round', () => {
    const lookup = new LanguageLookup(['he', 'id-ID', 'yi', 'in']);
    expect(lookup.find('iw_IL')).toBe('he');
    expect(lookup.find('in_ID')).toBe('id-ID');
    expect(lookup.find('in_NL')).toBe('in');
    expect(lookup.find('ji')).toBe('yi');
    expect(new LanguageLookup(['iw']).find('he-IL')).toBe('iw');
    expect(new LanguageLookup(['iw', 'HE']).find('he-IL')).toBe('HE');
    expect(new LanguageLookup(['he-IL']).find('iw')).toBeNull();
  });

  it('is found of locales as systems write them, and of nothing else', () => {
    const lookup = new LanguageLookup(['pt-BR', 'fa', 'zh']);
    expect(lookup.find('pt_BR.UTF-8')).toBe('pt-BR');
    expect(lookup.find('fa_IR@calendar=persian')).toBe('fa');
    expect(lookup.find('zh_CN_#Hans')).toBe('zh');
    for (const nothing of [null, undefined, '', ' ', 7, {}, '*', '-', 'f', `fa-${'a-'.repeat(1_000)}`])
      expect(lookup.find(nothing)).toBeNull();
  });
});

describe('a language tag', () => {
  it('is well-formed by RFC 5646', () => {
    for (const tag of [
      'fa',
      'de-AT',
      'zh-Hant-TW',
      'zh-yue-HK',
      'sl-rozaj-biske-1994',
      'en-a-bbb-x-a-ccc',
      'x-whatever',
    ])
      expect([tag, isLanguageTag(tag)]).toEqual([tag, true]);
    expect(isLanguageTag('es-419')).toBe(true);
    expect(isLanguageTag('DE-de')).toBe(true);
    for (const text of [
      '',
      'f',
      'fa_IR',
      'fa-',
      '-fa',
      'fa--IR',
      'de-1',
      'a-DE',
      'en-a',
      'x',
      'english',
      'default',
      'fa IR',
      'فا',
    ])
      expect([text, isLanguageTag(text)]).toEqual([text, false]);
  });

  it('is known in no time, whatever the text', () => {
    fc.assert(fc.property(fc.array(subtag, { maxLength: 40 }), (parts) => void isLanguageTag(`${parts.join('-')}-`)));
    expect(isLanguageTag(`a${'-aaa'.repeat(20)}`)).toBe(false);
  });
});

it('the search for a language tag finds the same tag whatever its case, and never a shorter one', () => {
  expect(sameTag(['fa', 'de-AT'], 'FA')).toBe('fa');
  expect(sameTag(['fa', 'de-AT'], 'de-at')).toBe('de-AT');
  expect(sameTag(['fa', 'de-AT'], 'fa-IR')).toBeUndefined();
});
