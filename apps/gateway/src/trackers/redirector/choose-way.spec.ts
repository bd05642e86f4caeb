import { chooseWay, type ClickTarget } from './choose-way';
import { tokenInReferrer } from '../click-token';
import { intentLink } from './click-answer';
import { isPrefetch, readVisitor } from './read-visitor';
import { escapeHtml, openingPage } from './tracker-page';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const TOKEN = 'AAAAAAAAAAAAAAAAAAAAAA';
const PLAY = 'https://play.google.com/store/apps/details?id=com.shop';
const STORE = 'https://apps.apple.com/app/id1';

const target: ClickTarget = {
  appId: 'shop',
  trackerId: '0abcdefghijk',
  deepLink: null,
  destination: 'https://shop.example/',
  redirect: null,
  platforms: { ios: STORE, android: PLAY },
  hosts: ['shop.example'],
  schemes: [],
  matchByAddress: false,
  deferredLinkMinutes: 60,
};
const bare: ClickTarget = { ...target, platforms: {}, destination: null };
const APP = 'shop://product/42';
const PAGE = 'https://shop.example/p/42';

describe('a click', () => {
  it.each([
    ['iPhone', IPHONE, STORE],
    ['Android', ANDROID, `${PLAY}&referrer=click_token%3D${TOKEN}`],
    ['desktop', DESKTOP, 'https://shop.example/'],
  ])('on an %s goes to the tracker’s page for it when the redirect is refused or absent', (_, agent, url) => {
    for (const redirect of [undefined, 'https://evil.example/', 'javascript:alert(1)']) {
      const way = chooseWay(
        target,
        { deep_link: 'x-safari-https://evil.example', redirect },
        readVisitor(agent),
        TOKEN,
      );
      expect(way).toEqual({ kind: 'redirect', url, deepLink: null });
    }
  });

  it('of a crawler goes where a desktop goes, whatever phone it says it is', () => {
    for (const agent of [`${ANDROID} (compatible; Googlebot/2.1)`, `${IPHONE} Chrome-Lighthouse`]) {
      const way = chooseWay(target, { deep_link: APP, redirect: PAGE }, readVisitor(agent), TOKEN);
      expect(way).toEqual({ kind: 'redirect', url: PAGE, deepLink: APP });
    }
  });

  it.each([
    ['iPhone', IPHONE, { kind: 'open', link: APP, fallback: PAGE, deepLink: APP }],
    ['Android', ANDROID, { kind: 'open', link: APP, fallback: PAGE, deepLink: APP }],
    ['desktop', DESKTOP, { kind: 'redirect', url: PAGE, deepLink: APP }],
  ])('on an %s opens the app, else goes where the link redirects', (_, agent, way) => {
    expect(chooseWay(target, { deep_link: APP, redirect: PAGE }, readVisitor(agent), TOKEN)).toEqual(way);
  });

  it('goes on to redirect, then the destination, where no store is named', () => {
    const visitor = readVisitor(IPHONE);
    const way = chooseWay({ ...target, platforms: {} }, { deep_link: APP, redirect: PAGE }, visitor, TOKEN);
    expect(way).toMatchObject({ fallback: PAGE });
    expect(chooseWay({ ...target, platforms: {} }, { deep_link: APP }, visitor, TOKEN)).toMatchObject({
      fallback: 'https://shop.example/',
    });
    expect(chooseWay(bare, { deep_link: APP }, visitor, TOKEN)).toMatchObject({ kind: 'open', fallback: null });
    expect(chooseWay(bare, {}, visitor, TOKEN)).toMatchObject({ kind: 'nowhere' });
  });

  it.each([
    ['https://shop.example/s?q=red shoes&by=a|b', 'https://shop.example/s?q=red%20shoes&by=a%7Cb'],
    ['https://shop.example/s?f={"size":"<42>"}', 'https://shop.example/s?f=%7B%22size%22:%22%3C42%3E%22%7D'],
    ['shop://s?q=red shoes "42"|{a}', 'shop://s?q=red%20shoes%20%2242%22|{a}'],
  ])('opens %s, whose author did not encode every character', (link, encoded) => {
    const way = chooseWay(target, { deep_link: link }, readVisitor(IPHONE), TOKEN);
    expect(way).toMatchObject({ deepLink: encoded });
  });

  it.each([
    'https://shop.example x/',
    'https://shop.example /x',
    'https://shop.example/x\\y',
    ' https://shop.example/',
  ])('does not go to %j, whose host is not certain', (redirect) => {
    expect(chooseWay(target, { redirect }, readVisitor(DESKTOP), TOKEN)).toMatchObject({
      url: 'https://shop.example/',
    });
  });

  it('takes a parameter that leads where it may not for absent', () => {
    const visitor = readVisitor(DESKTOP);
    for (const redirect of ['https://evil.example', 'javascript:alert(1)', ['https://evil.example', PAGE], {}, 7]) {
      expect(chooseWay(target, { redirect, deep_link: redirect }, visitor, TOKEN)).toEqual({
        kind: 'redirect',
        url: 'https://shop.example/',
        deepLink: null,
      });
    }
  });

  it('with a web page as deep link goes there', () => {
    expect(chooseWay(target, { deep_link: PAGE }, readVisitor(IPHONE), TOKEN)).toEqual({
      kind: 'redirect',
      url: PAGE,
      deepLink: PAGE,
    });
  });

  it('opens the tracker’s own deep link when it names none', () => {
    const own = { ...bare, deepLink: 'shop://home' };
    expect(chooseWay(own, {}, readVisitor(ANDROID), TOKEN)).toMatchObject({ kind: 'open', link: 'shop://home' });
  });
});

describe('the token of a click', () => {
  it('travels in the Play Store’s install referrer, beside what its owner wrote there', () => {
    const way = chooseWay(
      { ...target, platforms: { android: `${PLAY}&referrer=utm_source%3Dmail` } },
      { deep_link: APP },
      readVisitor(ANDROID),
      TOKEN,
    );
    const referrer = new URL((way as { fallback: string }).fallback).searchParams.get('referrer') ?? '';
    expect(referrer).toBe(`utm_source=mail&click_token=${TOKEN}`);
    expect(tokenInReferrer(referrer)).toBe(TOKEN);
    expect(tokenInReferrer(encodeURIComponent(referrer))).toBe(TOKEN);
    for (const text of ['', 'utm_source=x', 'click_token=short', '%', 'click_token'])
      expect(tokenInReferrer(text)).toBeNull();
  });

  it('stands where an owner made place for it', () => {
    const placed = { ...target, platforms: { ios: 'https://shop.example/get?t={click_token}' } };
    expect(chooseWay(placed, { deep_link: APP }, readVisitor(IPHONE), TOKEN)).toMatchObject({
      fallback: `https://shop.example/get?t=${TOKEN}`,
    });
  });
});

describe('an Android intent', () => {
  it('names the scheme, the app and the page to fall back to', () => {
    expect(intentLink('shop://product/42?a=b', PAGE, PLAY)).toBe(
      'intent://product/42?a=b#Intent;scheme=shop;package=com.shop;S.browser_fallback_url=https%3A%2F%2Fshop.example%2Fp%2F42;end',
    );
    expect(intentLink('shop://x#y', PAGE, PLAY)).toBe('shop://x#y');
    expect(intentLink('shop:x', null, undefined)).toBe('intent:x#Intent;scheme=shop;end');
  });
});

describe('who clicks', () => {
  it.each([
    [IPHONE, 'ios', 17, false],
    [ANDROID, 'android', 13, false],
    [ANDROID.replace('Android 13; Pixel 7', 'Android 10; K'), 'android', null, false],
    [DESKTOP, 'desktop', null, false],
    [undefined, 'desktop', null, false],
    ['facebookexternalhit/1.1', 'desktop', null, true],
    ['WhatsApp/2.23.20.0', 'desktop', null, true],
    ['TelegramBot (like TwitterBot)', 'desktop', null, true],
    [`${ANDROID} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`, 'desktop', null, true],
    [`${ANDROID} Chrome-Lighthouse`, 'desktop', null, true],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'desktop', null, true],
    ['Pinterest/0.2 (+https://www.pinterest.com/)', 'desktop', null, true],
    ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', 'desktop', null, true],
    // People: a brand of phones, and browsers inside apps.
    [ANDROID.replace('Pixel 7', 'CUBOT_X30'), 'android', 13, false],
    [ANDROID.replace('Pixel 7', 'CUBOT KINGKONG 7'), 'android', 13, false],
    [`${ANDROID} [Pinterest/Android]`, 'android', 13, false],
    [IPHONE.replace('Version/17.4 Mobile/15E148 Safari/604.1', 'Mobile/15E148 [Pinterest/iOS]'), 'ios', 17, false],
    [`${ANDROID} T7/13.33 SP-engine/2.71.0 baiduboxapp/13.33.0.11 (Baidu; P1 13)`, 'android', 13, false],
  ])('is read from the user agent: %s', (agent, platform, osMajor, isRobot) => {
    expect(readVisitor(agent)).toMatchObject({ platform, osMajor, isRobot });
  });

  it('is nobody while a browser fetches ahead', () => {
    expect(isPrefetch({ purpose: 'prefetch' })).toBe(true);
    expect(isPrefetch({ 'sec-purpose': 'prefetch;prerender' })).toBe(true);
    expect(isPrefetch({ accept: 'text/html' })).toBe(false);
  });
});

describe('the page that opens an app', () => {
  it('holds links as text that nothing can break out of', () => {
    const hostile = `shop://"'><img src=x onerror=alert(1)>\`&amp;`;
    const html = openingPage({ link: hostile, shown: hostile, fallback: `https://shop.example/?a='"><script>` });
    expect(html).not.toContain('<img');
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(escapeHtml(`<>&"'\`=`)).toMatch(/^(&#\d+;){7}$/);
  });
});
