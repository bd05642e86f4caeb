import { SHOP, sampleMessage } from '../testing/samples';
import { isSilent, visibleText } from './visible-text';

const text = (content: Parameters<typeof sampleMessage>[0]): { title: string; body: string } =>
  visibleText(sampleMessage(content).content, SHOP);

describe('the text of a notification', () => {
  it('is the body of the notification before anything else', () => {
    const notification = { title: 'T', body: 'B' };
    expect(text({ notification, alertText: 'A', useAsAlert: true })).toEqual({ title: 'T', body: 'B' });
  });

  it('is alertText before the content', () => {
    expect(text({ alertText: 'A', useAsAlert: true }).body).toBe('A');
  });

  it('is the content where useAsAlert says so, and else the default text of the application', () => {
    expect(text({ useAsAlert: true }).body).toBe('Hello');
    expect(text({}).body).toBe('You have a new message');
  });

  it('takes no empty text for a text', () => {
    expect(text({ notification: { title: '', body: '' }, alertText: '' })).toEqual({
      title: 'Shop',
      body: 'You have a new message',
    });
  });
});

describe('a silent message', () => {
  it.each([
    ['silent', { silent: true }, true],
    ['an ordinary one', {}, false],
    ['contentAvailable with a text', { notification: { contentAvailable: true } }, false],
    ['contentAvailable alone', { content: undefined, notification: { contentAvailable: true } }, true],
    [
      'contentAvailable with a title only',
      { content: undefined, notification: { title: 'T', contentAvailable: true } },
      true,
    ],
    [
      'contentAvailable with alertText',
      { content: undefined, alertText: 'A', notification: { contentAvailable: true } },
      false,
    ],
  ])('%s', (_name, content, expected) => {
    expect(isSilent(sampleMessage(content).content)).toBe(expected);
  });
});
