import { contentOfEdition, DEFAULT_EDITION, EditionChoice, editionsOf } from './edition';
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
});
