import fc from 'fast-check';
import { appLink, encodeBehindHost, normaliseHost, webLink } from './link-guard';

const HOSTS = ['shop.example', '*.cdn.example', 'dev.example:8443', 'xn--mnchen-3ya.example'];

describe('a web link of a click', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/'],
    ['http://shop.example/a?b=c#d', 'http://shop.example/a?b=c#d'],
    ['HTTPS://SHOP.example/A', 'https://shop.example/A'],
    ['https://shop.example:443/', 'https://shop.example/'],
    ['https://a.b.cdn.example/x', 'https://a.b.cdn.example/x'],
    ['https://dev.example:8443/', 'https://dev.example:8443/'],
    ['https://münchen.example/straße?q=سلام', 'https://xn--mnchen-3ya.example/stra%C3%9Fe?q=%D8%B3%D9%84%D8%A7%D9%85'],
    ['https://shop.example/%2F%2Fevil.example', 'https://shop.example/%2F%2Fevil.example'],
    ['https://shop.example/?next=https://evil.example', 'https://shop.example/?next=https://evil.example'],
  ])('%s leads to an allowed host', (link, expected) => {
    expect(webLink(link, HOSTS)).toBe(expected);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '//shop.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:/shop.example',
    'https:shop.example',
    'https:///shop.example',
    'https://shop.example@evil.example',
    'https://shop.example:pass@evil.example/',
    'https://user@shop.example/',
    'https://@shop.example/',
    'https://evil.example\\@shop.example',
    'https://evil.example\\.shop.example',
    'https://shop.example\\@evil.example',
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'https://shop.example.',
    'https://shop.example:8443',
    'https://dev.example',
    'https://cdn.example',
    'https://evilcdn.example',
    'https://evil.example/#https://shop.example',
    'https://evil.example?https://shop.example',
    'https://shop.example%2eevil.example',
    'https://evil.example%23.shop.example',
    'https://shop。example.evil.example',
    'https://[::1]/',
    'https://0x7f.1/',
    ' https://shop.example',
    'https://shop.example/ x',
    'https://shop.example/\nLocation: https://evil.example',
    'ht\ntps://shop.example',
    'https://shop.example/\u0000',
    'https://shop.example/<script>',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'ftp://shop.example',
    'shop://shop.example',
    'https://',
    '',
    `https://shop.example/${'a'.repeat(5_000)}`,
  ])('%j leads nowhere', (link) => {
    expect(webLink(link, HOSTS)).toBeNull();
  });

  it('whatever its text, never leaves the allowed hosts as browsers read it', () => {
    const piece = fc.constantFrom(
      ...[
        'https:',
        'http:',
        '/',
        '//',
        '\\',
        '@',
        ':',
        '#',
        '?',
        '.',
        '%2e',
        '%2f',
        ' ',
        '\t',
        'shop.example',
        'evil.example',
      ],
      ...['user', '443', '。', '\u00ad', '\u2044', '%40', '[', ']', ';', '&', '=', 'javascript:', '\u202e', 'ß'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        for (const text of [pieces.join(''), encodeBehindHost(pieces.join(''))]) {
          const link = webLink(text, ['shop.example']);
          if (link === null) continue;
          const url = new URL(link, 'https://tracker.example/t/x');
          expect([url.host, url.username, url.href]).toEqual(['shop.example', '', link]);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('an app link of a click', () => {
  it.each([
    'shop://product/42?ref=a&b=%D8%B3',
    'shop://محصول/۴۲?q=کفش#بالا',
    'com.example.shop:/orders',
    'SHOP://x',
    'tel:+4930123',
    'shop:item',
    "shop://it's",
  ])('%s is kept as it is', (link) => {
    expect(appLink(link, [])).toBe(link);
  });

  it.each([
    ...[
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'java\tscript://x',
    ],
    ...['\u0001javascript:x', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'blob:https://x', 'about:blank'],
    ...[
      'content://x',
      'chrome://settings',
      'view-source:https://x',
      'android-app://x',
      'http://evil.example',
      'https:x',
    ],
    ...[
      'shop',
      '//evil.example',
      '/x',
      '',
      ':x',
      'shop:',
      '1shop://x',
      'shop://"><script>',
      'shop://a b',
      'shop://\ud800',
    ],
    ...[
      'x-safari-https://evil.example',
      'x-safari-http://x',
      'X-Safari-HTTPS://x',
      'microsoft-edge:https://evil.example',
    ],
    ...['microsoft-edge-https://x', 'firefox-focus://open-url?url=https://x', 'opera-http://x', 'opera-https://x'],
    ...['touch-http://x', 'touch-https://x', 'ddgquicklink://x', 'samsunginternet://x', 'yandexbrowser-open-url://x'],
    ...['googlechromes://x', 'brave://open-url?url=https://x', 'intent://x#Intent;scheme=x-safari-https;end'],
    'intent://evil.example#Intent;scheme=https;end',
    'intent://x#Intent;scheme=javascript;end',
    'intent://x#Intent;S.browser_fallback_url=https%3A%2F%2Fevil.example;end',
    'intent:#Intent;component=com.evil/.Main;end',
    'intent://x#Intent;scheme=intent;end',
  ])('%j is refused', (link) => {
    expect(appLink(link, [])).toBeNull();
  });

  it('of an intent is what it opens, without a fallback, component or extras of its own', () => {
    const intent =
      'intent://scan/42?a=b#Intent;scheme=shop;package=com.evil;component=com.evil/.Main;S.browser_fallback_url=https%3A%2F%2Fevil.example;end';
    expect(appLink(intent, [])).toBe('shop://scan/42?a=b');
  });

  it('has to be of a scheme that the application names, if it names any', () => {
    expect(appLink('SHOP://x', ['shop'])).toBe('SHOP://x');
    expect(appLink('bank://x', ['shop'])).toBeNull();
    expect(appLink('brave://x', ['shop'])).toBeNull();
    expect(appLink('brave://x', ['brave'])).toBe('brave://x');
    expect(appLink('javascript:alert(1)', ['javascript'])).toBeNull();
    expect(appLink('intent://x#Intent;scheme=bank;end', ['shop'])).toBeNull();
  });
});

describe('the name of a host', () => {
  it.each([
    ['Shop.Example', 'shop.example'],
    ['*.shop.example', '*.shop.example'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['localhost:3000', 'localhost:3000'],
    ['[::1]:3000', '[::1]:3000'],
    ['https://shop.example', null],
    ['shop.example/', null],
    ['user@shop.example', null],
    ['shop.example.', null],
    ['*', null],
    ['*.*.example', null],
    ['', null],
  ])('%s is compared as %s', (text, expected) => {
    expect(normaliseHost(text)).toBe(expected);
  });
});
