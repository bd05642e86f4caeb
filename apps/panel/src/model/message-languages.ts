import { isLanguageTag } from '@postrider/domain';
import type { MessageContentResponse } from '@postrider/server/document';
import { type LanguageDraft, type MessageDraft, namesUsers } from './message-draft';
import { newKey } from './segment-draft';

/** A language with nothing written yet: all of it is the default's. */
export function newLanguage(): LanguageDraft {
  return { key: newKey(), tag: '', title: '', content: '', alertText: '', clickUrl: '', sms: '' };
}

/** `localized` of a draft or of one of its variants, empty fields left out; absent when it has no languages. */
export function localizedOf(
  draft: MessageDraft,
  languages: readonly LanguageDraft[] = draft.languages,
): MessageContentResponse['localized'] {
  if (languages.length === 0) return undefined;
  return Object.fromEntries(languages.map((language) => [language.tag.trim(), contentOf(draft, language)]));
}

/** Returns the tags of languages, each once: a variant has its own texts for a language that the message has too. */
export function tagsOf(languages: readonly LanguageDraft[]): string[] {
  const tags = languages.map(({ tag }) => tag.trim());
  return tags.filter((tag, place) => tags.findIndex((one) => one.toLowerCase() === tag.toLowerCase()) === place);
}

type Localized = NonNullable<MessageContentResponse['localized']>[string];

/** Fields that are not shown are left out, and no language has only an SMS of its own. */
function contentOf(draft: MessageDraft, { title, content, alertText, clickUrl, sms }: LanguageDraft): Localized {
  const shown = draft.silent ? {} : { title, clickUrl: clickUrl.trim() };
  const notification = Object.fromEntries(Object.entries(shown).filter(([, text]) => text !== ''));
  return {
    ...(content === '' ? {} : { content }),
    ...(alertText === '' || draft.silent ? {} : { alertText }),
    ...(Object.keys(notification).length === 0 ? {} : { notification }),
    ...(sms === '' || !hasSms(draft) ? {} : { fallback: { content: sms } }),
  };
}

/** True if the SMS of a draft can be in other languages: it has one. */
export function hasSms(draft: MessageDraft): boolean {
  return draft.fallback.isOn && namesUsers(draft);
}

/** Returns the problems with the languages of a draft or of a variant, by the names of their fields. */
export function languageProblems({
  languages,
}: {
  languages: readonly LanguageDraft[];
}): Record<string, string | undefined> {
  const tags = languages.map(({ tag }) => tag.trim().toLowerCase());
  const found = languages.map(({ key, tag }, place): [string, string | undefined] => [
    `language.${key}.tag`,
    tagProblem(tag.trim(), tags.indexOf(tags[place] ?? '') < place),
  ]);
  return Object.fromEntries(found);
}

function tagProblem(tag: string, isTaken: boolean): string | undefined {
  if (tag === '') return 'Enter the language, such as fa or de-AT';
  if (!isLanguageTag(tag)) return 'A language tag such as fa, de-AT or zh-Hant';
  return isTaken ? 'This language is there already' : undefined;
}

const PLACE = /^localized\.([A-Za-z0-9-]+)(?:\.(.+))?$/;
const FIELDS: Record<string, keyof LanguageDraft> = {
  content: 'content',
  alertText: 'alertText',
  'notification.title': 'title',
  'notification.body': 'content',
  'notification.clickUrl': 'clickUrl',
  'fallback.content': 'sms',
};

/** The field of the page that a path of the API is about; undefined: none of a language's. */
export function languageFieldOf(
  { languages }: { languages: readonly LanguageDraft[] },
  path: string,
): string | undefined {
  const [, tag, field = ''] = PLACE.exec(path) ?? [];
  const language = languages.find((one) => one.tag.trim() === tag);
  return language && `language.${language.key}.${FIELDS[field] ?? 'tag'}`;
}
