import type { Api } from '@postrider/tools/start/api';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Postrider, startPostrider } from '../../support/postrider';

/** An application that a test may use as it likes. */
export interface TestApplication {
  appId: string;
  server: Api;
  client: Api;
  serverToken: string;
}

/** A running Postrider with a browser in front of it. */
export interface PanelHarness {
  postrider: Postrider;
  /** The operator's token. */
  adminToken: string;
  /** Makes an application that the simulator serves. */
  application(appId: string): Promise<TestApplication>;
  /** A page of the panel in a fresh browser profile, signed in with a token. `path` is behind `/panel`. */
  open(path: string, token?: string): Promise<Page>;
  /** The sign-in page in a fresh browser profile. Its session is its own: a test may end it without ending that of other pages. */
  openSignedOut(): Promise<Page>;
  /** Closes every page that is open: one that is left behind goes on asking the gateway how things are. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/** What a page did that it may not: a blocked script or style, or an exception nobody caught. */
const misdeeds = new WeakMap<Page, string[]>();

/** @see misdeeds */
export function misdeedsOf(page: Page): readonly string[] {
  return misdeeds.get(page) ?? [];
}

/** Starts the system, once for all pages, and the browser. */
export async function startPanel(executablePath: string): Promise<PanelHarness> {
  const postrider = await startPostrider();
  const browser = await launch(executablePath).catch(async (error: unknown) => {
    await postrider.stop();
    throw error;
  });
  const contexts = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();
  const { gatewayUrl } = postrider.system;
  const openProfile = async (
    path: string,
    state?: Awaited<ReturnType<BrowserContext['storageState']>>,
  ): Promise<Page> => {
    const context = await browser.newContext({ baseURL: gatewayUrl, ...(state ? { storageState: state } : {}) });
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    watch(page);
    await page.goto(`/panel${path}`);
    return page;
  };
  return {
    postrider,
    adminToken: postrider.adminToken,
    application: async (appId) => ({ appId, ...(await postrider.createApplication(appId)) }),
    open: async (path, token = postrider.adminToken) => {
      const known = contexts.get(token);
      if (known) return openProfile(path, known);
      const page = await openProfile('/');
      await signIn(page, token);
      contexts.set(token, await page.context().storageState());
      await page.goto(`/panel${path}`);
      return page;
    },
    openSignedOut: () => openProfile('/'),
    closePages: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    stop: async () => {
      await browser.close();
      await postrider.stop();
    },
  };
}

/** Signs in as a person does. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor({ state: 'attached' });
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

function watch(page: Page): void {
  const seen: string[] = [];
  misdeeds.set(page, seen);
  page.on('pageerror', (error) => seen.push(String(error)));
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy')) seen.push(message.text());
  });
}
