import {
  contentOfEdition,
  DEFAULT_EDITION,
  EditionChoice,
  EditionChoices,
  editionKey,
  editionsOf,
  hasEditions,
} from './edition';
import type { MessageContent } from './message';

const FLAGS = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
const MESSAGE: MessageContent = {
  ...FLAGS,
  content: 'Hello',
  alertText: 'Look',
  data: { n: 1 },
  notification: { title: 'Sale', clickUrl: 'https://shop.example', extra: { image: 'a.png', color: 'red' } },
  fallback: { content: 'SMS', media: 'sms', delaySeconds: 60 },
  localized: {
    fa: {
      content: 'سلام',
      notification: { title: 'حراج', extra: { image: 'fa.png' } },
      fallback: { content: 'پیامک' },
    },
    'de-AT': { alertText: 'Schau' },
    en: {},
  },
};

describe('an edition of a message', () => {
  it('is the default with what the language says in its place, a notification field by field', () => {
    expect(contentOfEdition(MESSAGE, { language: 'fa' })).toEqual({
      ...FLAGS,
      content: 'سلام',
      alertText: 'Look',
      data: { n: 1 },
      notification: { title: 'حراج', clickUrl: 'https://shop.example', extra: { image: 'fa.png', color: 'red' } },
      fallback: { content: 'پیامک', media: 'sms', delaySeconds: 60 },
    });
    const plain: MessageContent = { ...MESSAGE };
    delete plain.localized;
    expect(contentOfEdition(MESSAGE, { language: 'de-AT' })).toEqual({ ...plain, alertText: 'Schau' });
    expect(contentOfEdition(MESSAGE, { language: 'en' })).toEqual(plain);
    expect(contentOfEdition(MESSAGE, DEFAULT_EDITION)).toEqual(plain);
  });

  it('of a message without languages is the message itself', () => {
    const plain = { ...FLAGS, content: 'Hello' };
    expect(contentOfEdition(plain, DEFAULT_EDITION)).toBe(plain);
    expect(contentOfEdition(MESSAGE, { language: 'constructor' })).toEqual(contentOfEdition(MESSAGE, DEFAULT_EDITION));
    expect(editionsOf(plain)).toEqual([DEFAULT_EDITION]);
    expect(editionsOf(MESSAGE).map(({ language }) => language)).toEqual([null, 'fa', 'de-AT', 'en']);
  });

  it('is chosen by the first locale that has a language', () => {
    const choice = new EditionChoice(MESSAGE);
    expect(choice.of('fa-IR', 'de-AT')).toEqual({ language: 'fa' });
    expect(choice.of('fr', 'de-AT-1901')).toEqual({ language: 'de-AT' });
    expect(choice.of(null, { not: 'text' })).toEqual(DEFAULT_EDITION);
    expect(choice.of('en-GB', 'fa')).toEqual({ language: 'en' });
    expect(choice.ofLocale('fr')).toBeNull();
    expect(choice.of('FA')).toBe(choice.of('fa'));
  });

  it('has a name that no other edition of its message has', () => {
    const variants = [
      { name: 'A', weight: 1 },
      { name: 'fa', weight: 1 },
    ];
    const editions = [...editionsOf(MESSAGE), ...editionsOf({ ...MESSAGE, variants })];
    expect(new Set(editions.map(editionKey)).size).toBe(editions.length);
    expect(editions).toHaveLength(12);
  });

  it('depends on the language only where the message, or the variant, has several', () => {
    const variants = [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, localized: { fa: { content: 'سلام' } } },
    ];
    const choices = new EditionChoices({ ...FLAGS, content: 'Hello', variants });
    expect(choices.ofVariant('A').hasLanguages).toBe(false);
    expect(choices.ofVariant('A').of('fa')).toEqual({ language: null, variant: 'A' });
    expect(choices.ofVariant('B').hasLanguages).toBe(true);
    expect(choices.ofVariant('B').of('fa')).toEqual({ language: 'fa', variant: 'B' });
    expect(choices.ofVariant('B')).toBe(choices.ofVariant('B'));
  });

  it('is the only one of a message with neither languages nor variants', () => {
    expect(hasEditions({ ...FLAGS, content: 'Hello' })).toBe(false);
    expect(hasEditions(MESSAGE)).toBe(true);
    expect(hasEditions({ ...FLAGS, content: 'Hello', variants: [{ name: 'A', weight: 1 }] })).toBe(true);
  });
});
