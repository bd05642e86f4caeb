import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, devices, type Page } from 'playwright-core';
import { untilTrue } from '@postrider/testing';
import { startTestGateway, type TestGateway } from '../testing/test-gateway';
import { ClickBuffer } from './redirector/click-buffer.service';

/** Chromium with windows stood still for minutes now and then, from its first page on. */
const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
);
const IPHONE = devices['iPhone 13'] as BrowserContextOptions;
const ANDROID = devices['Pixel 7'] as BrowserContextOptions;
const DESKTOP = devices['Desktop Chrome'] as BrowserContextOptions;

const withBrowser = CHROMIUM === undefined ? describe.skip : describe;
if (CHROMIUM === undefined) console.warn('There is no Chromium (CHROMIUM_PATH): trackers are not tested in a browser');

/** The time at which the test stops a page's clock. */
const NEW_YEAR = Date.UTC(2026, 0, 1);

withBrowser('trackers in a browser', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let pages: Server;
  let host: string;
  let token: string;
  let tracker: { id: string; url: string };

  beforeAll(async () => {
    gateway = await startTestGateway();
    token = await gateway.application('shop');
    pages = createServer((request, response) =>
      response.setHeader('content-type', 'text/html').end(`<h1>${request.url ?? ''}</h1>`),
    );
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
    host = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    tracker = await makeTracker();
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });

  afterAll(async () => {
    await browser.close();
    pages.close();
    await gateway.close();
  });

  async function makeTracker(): Promise<{ id: string; url: string }> {
    const { body } = await gateway.request('POST', '/api/trackers', {
      body: {
        name: 'Sale',
        destination: `${host}/destination`,
        platforms: { ios: `${host}/app-store`, android: `${host}/play-store` },
      },
      headers: { 'x-access-token': token },
    });
    return body as { id: string; url: string };
  }

  async function visit(
    device: BrowserContextOptions,
    query: string,
    { scripts = true, init, isTimeStopped = false }: { scripts?: boolean; init?: string; isTimeStopped?: boolean } = {},
  ): Promise<{ page: Page; problems: string[]; told: string[] }> {
    const context = await browser.newContext({ ...device, javaScriptEnabled: scripts });
    if (init !== undefined) await context.addInitScript({ content: init });
    const page = await context.newPage();
    if (isTimeStopped) {
      await page.clock.install({ time: NEW_YEAR });
      await page.clock.pauseAt(NEW_YEAR + 1_000);
    }
    const problems: string[] = [];
    const told: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
      if (message.type() === 'debug') told.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${tracker.url}?${query}`);
    return { page, problems, told };
  }

  const deepLink = `deep_link=${encodeURIComponent('shop://محصول/42?a=%20b')}`;

  /** Tells the test what the opening page shows before it goes on. */
  const tellShown = `document.addEventListener('DOMContentLoaded', () => {
    const open = document.getElementById('open');
    if (open) console.debug(JSON.stringify({
      title: document.querySelector('h1').textContent, href: open.getAttribute('href'), link: open.getAttribute('data-link'),
    }));
  })`;

  it.each([
    ['iPhone', IPHONE, '/app-store', /^shop:\/\/محصول\/42/],
    ['Android phone', ANDROID, '/play-store', /^intent:\/\/محصول\/42\?a=%20b#Intent;scheme=shop;/],
  ])('lead an %s without the app to its store', async (_, device, store, link) => {
    const { page, problems, told } = await visit(device, deepLink, { init: tellShown });
    // The browser aborts the navigation to the app's link, and then the page goes on.
    await untilTrue(() => page.url() === host + store);
    expect(told.map((text) => JSON.parse(text) as object)).toEqual([
      { title: 'Opening the app…', href: 'shop://محصول/42?a=%20b', link: expect.stringMatching(link) },
    ]);
    expect(problems.filter((problem) => problem.includes('Content Security Policy'))).toEqual([]);
    await page.context().close();
  });

  it('lead a phone without the app to its store also when the page takes longer to load than the app has to open', async () => {
    // Timers that begin before the page is loaded end before that too.
    const loadsSlowly = `{
      const { setTimeout } = window;
      const timers = [];
      window.setTimeout = (run) => timers.push(run);
      document.addEventListener('DOMContentLoaded', () => timers.forEach((run) => run()));
      window.addEventListener('load', () => { window.setTimeout = setTimeout; });
    }`;
    const { page } = await visit(IPHONE, deepLink, { init: loadsSlowly });
    await untilTrue(() => page.url() === `${host}/app-store`);
    await page.context().close();
  });

  it('stay where they are when the app opens', async () => {
    // The event of a page when an app covers it.
    const appComes = `document.addEventListener('DOMContentLoaded', () => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    })`;
    const { page } = await visit(IPHONE, deepLink, { init: appComes, isTimeStopped: true });
    await page.clock.runFor(60_000);
    // Whatever navigation it had begun by now, this page is asked first.
    expect(await page.textContent('h1')).toBe('Opening the app…');
    expect(page.url()).toContain(tracker.id);
    await page.context().close();
  });

  it('lead on without scripts', async () => {
    const { page } = await visit(IPHONE, deepLink, { scripts: false });
    await page.waitForURL(`${host}/app-store`, { timeout: 280_000 });
    await page.context().close();
  });

  it('lead a desktop where the link says, or to the destination', async () => {
    const to = encodeURIComponent(`${host}/article?x=1`);
    const redirected = await visit(DESKTOP, `${deepLink}&redirect=${to}`);
    expect(redirected.page.url()).toBe(`${host}/article?x=1`);
    const hostile = await visit(DESKTOP, `redirect=${encodeURIComponent('https://evil.example')}`);
    expect(hostile.page.url()).toBe(`${host}/destination`);
    await redirected.page.context().close();
    await hostile.page.context().close();
  });

  it('run nothing that a link brings along', async () => {
    const ran: string[] = [];
    const attacks = [
      'shop://"onmouseover=alert(1)',
      "shop://'%22><script>alert(1)</script>",
      'javascript:alert(1)',
      'shop://</a><img/src=x/onerror=alert(1)>',
    ];
    for (const attack of attacks) {
      const context = await browser.newContext(IPHONE);
      const page = await context.newPage();
      page.on('dialog', (dialog) => {
        ran.push(attack);
        void dialog.dismiss();
      });
      await page.goto(`${tracker.url}?deep_link=${encodeURIComponent(attack)}`);
      expect(await page.locator('img').count()).toBe(0);
      await context.close();
    }
    expect(ran).toEqual([]);
  });

  it('show a page when the link leads nowhere', async () => {
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    const answer = await page.goto(`${gateway.address}/t/0nosuchlink0`);
    expect(answer?.status()).toBe(404);
    expect(await page.textContent('h1')).toBe('This link leads nowhere');
    await context.close();
  });

  it('count who clicked', async () => {
    const { id, url } = await makeTracker();
    for (const device of [IPHONE, ANDROID, DESKTOP, DESKTOP]) {
      const page = await browser.newPage(device);
      await page.goto(`${url}?${deepLink}`);
      await page.close();
    }
    await gateway.app.get(ClickBuffer, { strict: false }).flush();
    const { body } = await gateway.request('GET', `/api/trackers/${id}/stats`, {
      headers: { 'x-access-token': token },
    });
    expect(Object.keys(body.byPlatform).sort()).toEqual(['android', 'desktop', 'ios']);
    expect(body.totals).toMatchObject({ clicks: 4, visitors: 3 });
  });
});
