import fc from 'fast-check';
import type { InboxMessage } from '../../inbox/inbox';
import { renderCards } from './cards';

const message = (fields: Partial<InboxMessage>): InboxMessage => ({
  id: 1,
  acceptedAt: '2026-11-21T10:00:00.000Z',
  vendor: 'fcm',
  token: 'token',
  vendorMessageId: 'id',
  title: 'Title',
  body: 'Body',
  details: {},
  payload: {},
  ...fields,
});

/** Every tag that a browser would find in the text. */
const tagsIn = (html: string): string[] => [...html.matchAll(/<\/?([a-z!?][^\s>]*)/gi)].map(([, tag]) => tag!);

describe('a card of the inbox', () => {
  it('shows title, body, vendor and a shortened token', () => {
    const html = renderCards([message({ token: 'abcdefghijklmnopqrstuvwxyz', title: 'سلام' })]);
    expect(html).toContain('<h2 dir="auto">سلام</h2>');
    expect(html).toContain('>FCM<');
    expect(html).toContain('abcdefghij…vwxyz');
  });

  it('says so when there is nothing to show', () => {
    expect(renderCards([message({ title: '', body: '' })])).toContain('A silent message');
  });

  it('has the same tags and attributes whatever stands in the message', () => {
    const plain = tagsIn(renderCards([message({})]));
    const nasty = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "'</pre><b>",
        '</li>',
        '<!--',
        '&lt;',
      ),
    );
    fc.assert(
      fc.property(nasty, (text) => {
        const hostile = { token: text, title: text, body: text, vendorMessageId: text };
        const html = renderCards([message({ ...hostile, details: { [text]: text }, payload: { [text]: [text] } })]);
        expect(tagsIn(html)).toEqual(plain);
        expect(html.match(/"/g)!.length).toBe(renderCards([message({})]).match(/"/g)!.length);
      }),
    );
  });
});
