import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { MessageContent } from '@postrider/domain';
import { openTrackedLink, sealTrackedLink, trackedLinkKey, trackLinks } from './tracked-link';

const key = trackedLinkKey('a secret that all processes have');
const delivery = {
  appId: 'shop',
  messageId: '0199a1b2-0000-7000-8000-00000000abcd',
  installationId: '0199a1b2-1111-7000-8000-00000000ef01',
};

describe('a tracked link', () => {
  it('says again what was sealed into it, in every script', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uuid(),
        fc.webUrl(),
        fc.string({ unit: 'grapheme' }),
        (id, installationId, url, text) => {
          const link = { appId: 'shop_1', messageId: id, installationId, link: `${url}?q=${text}` };
          fc.pre(!/\p{Surrogate}/u.test(text));
          expect(openTrackedLink([key], sealTrackedLink(key, link))).toEqual(link);
        },
      ),
    );
  });

  it('opens no more when any character of it is another', () => {
    const token = sealTrackedLink(key, { ...delivery, link: 'https://shop.example/sale' });
    fc.assert(
      fc.property(
        fc.nat(token.length - 2),
        fc.constantFrom('A', 'B', 'x', 'z', '0', '9', '-', '_'),
        (place, character) => {
          fc.pre(token[place] !== character);
          expect(openTrackedLink([key], token.slice(0, place) + character + token.slice(place + 1))).toBeNull();
        },
      ),
    );
    expect(openTrackedLink([trackedLinkKey('another secret')], token)).toBeNull();
    for (const text of ['', 'x', '../../etc/passwd', 'A'.repeat(80), 'é'.repeat(80)])
      expect(openTrackedLink([key], text)).toBeNull();
  });

  it('shows nothing of what it holds', () => {
    const link = { ...delivery, link: 'https://shop.example/sale' };
    const bytes = Buffer.from(sealTrackedLink(key, link), 'base64url');
    const ids = [delivery.messageId, delivery.installationId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
    for (const held of [...ids, Buffer.from('shop'), Buffer.from(link.link)]) expect(bytes.includes(held)).toBe(false);
    expect(sealTrackedLink(key, link)).not.toBe(sealTrackedLink(key, link));
  });

  it('opens with any of several keys', () => {
    const former = trackedLinkKey('the secret before');
    const link = { ...delivery, link: 'https://shop.example/sale' };
    expect(openTrackedLink([key, former], sealTrackedLink(former, link))).toEqual(link);
    expect(openTrackedLink([key, former], sealTrackedLink(key, link))).toEqual(link);
    expect(openTrackedLink([key], sealTrackedLink(former, link))).toBeNull();
  });

  it('of an earlier version, signed and not sealed, still leads where it led, unless it was changed', () => {
    const signed = signedLink('a secret that all processes have', 'https://shop.example/sale');
    const opened = openTrackedLink([trackedLinkKey('new'), key], signed.toString('base64url'));
    expect(opened).toEqual({ ...delivery, link: 'https://shop.example/sale' });
    signed[signed.length - 1] = 0;
    expect(openTrackedLink([key], signed.toString('base64url'))).toBeNull();
  });

  it('takes the place of web links and leaves those of apps alone', () => {
    const content: MessageContent = {
      content: 'Sale',
      useAsAlert: false,
      silent: false,
      inApp: false,
      live: false,
      autoNotify: false,
      notification: {
        title: 'Sale',
        clickUrl: 'https://shop.example/sale?a=1',
        actions: [{ id: 'open', url: 'shop://sale' }, { id: 'web', url: 'HTTP://shop.example' }, { id: 'none' }],
      },
    };
    const tracked = trackLinks(content, { key, base: 'https://go.example' }, delivery).notification;
    const [app, web, none] = tracked?.actions ?? [];
    expect(app?.url).toBe('shop://sale');
    expect(none?.url).toBeUndefined();
    const opened = [tracked?.clickUrl, web?.url].map((url) => {
      expect(url).toMatch(/^https:\/\/go\.example\/l\//);
      return openTrackedLink([key], url?.slice('https://go.example/l/'.length) ?? '')?.link;
    });
    expect(opened).toEqual(['https://shop.example/sale?a=1', 'HTTP://shop.example']);
    expect(content.notification?.clickUrl).toBe('https://shop.example/sale?a=1');
  });

  it.each(['https://shop.example/?q=', 'https://shop.example/سلام?q='])(
    'leads where the link leads, however long that is: %s',
    (start) => {
      for (let length = 5_500; length < 6_500; length += 50) {
        const clickUrl = start + 'x'.repeat(length);
        const content = { content: 'Sale', notification: { clickUrl } } as MessageContent;
        const url = trackLinks(content, { key, base: 'https://go.example' }, delivery).notification?.clickUrl;
        const opened = openTrackedLink([key], url?.slice('https://go.example/l/'.length) ?? '')?.link;
        expect(opened ?? url).toBe(clickUrl);
      }
    },
  );
});

/** A token in the form before tokens were sealed. */
function signedLink(secret: string, link: string): Buffer {
  const ids = `${delivery.messageId}${delivery.installationId}`.replaceAll('-', '');
  const body = Buffer.concat([Buffer.from(ids, 'hex'), Buffer.of(4), Buffer.from(`shop${link}`)]);
  const version = Buffer.of(1);
  const signing = createHmac('sha256', secret).update('postrider/tracked-link/1').digest();
  const mac = createHmac('sha256', signing).update(version).update(body).digest().subarray(0, 12);
  return Buffer.concat([version, mac, body]);
}
