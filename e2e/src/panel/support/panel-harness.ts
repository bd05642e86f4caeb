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
  /**
   * A page of the panel, signed in with a token. `path` is behind `/panel`. All pages of a token share a browser profile that
   * forgets everything but the session before each page: the panel's files are loaded and compiled once.
   */
  open(path: string, token?: string): Promise<Page>;
  /** The sign-in page in a fresh browser profile. Its session is its own: a test may end it without ending that of other pages. */
  openSignedOut(): Promise<Page>;
  /** Closes every open page: a page that is left behind continues to ask the gateway for its state. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/** A browser profile in which a token has signed in, and the session that it stored. */
interface SignedInProfile {
  context: BrowserContext;
  state: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** The window of a computer; pages are inspected in others too. */
export const WIDE = { width: 1_440, height: 860 };

/** The forbidden events of a page: a blocked script or style, or an uncaught exception. */
const misdeeds = new WeakMap<Page, string[]>();

/** @see misdeeds */
export function misdeedsOf(page: Page): readonly string[] {
  return misdeeds.get(page) ?? [];
}

/** Starts the system, once for all pages, and the browser. */
export async function startPanel(executablePath: string): Promise<PanelHarness> {
  const postrider = await startPostrider({}, { hasPromo: true });
  const browser = await launch(executablePath).catch(async (error: unknown) => {
    await postrider.stop();
    throw error;
  });
  const profiles = new Map<string, SignedInProfile>();
  /** An empty page of each profile: Chromium ends its process for pages with the last of them, and compiles all files again in the next. */
  const kept = new Set<Page>();
  const { gatewayUrl } = postrider.system;
  const newProfile = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ baseURL: gatewayUrl, reducedMotion: 'reduce', viewport: WIDE });
    context.setDefaultTimeout(280_000);
    kept.add(await context.newPage());
    return context;
  };
  const openPage = async (context: BrowserContext, path: string): Promise<Page> => {
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
      const known = profiles.get(token);
      if (known) {
        await known.context.setStorageState(known.state);
        return openPage(known.context, path);
      }
      const context = await newProfile();
      const page = await openPage(context, '/');
      await signIn(page, token);
      profiles.set(token, { context, state: await context.storageState() });
      await page.goto(`/panel${path}`);
      return page;
    },
    openSignedOut: async () => openPage(await newProfile(), '/'),
    closePages: async () => {
      const pages = browser.contexts().flatMap((context) => context.pages().filter((page) => !kept.has(page)));
      await Promise.all(pages.map((page) => page.close()));
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

/** All pages of a profile share a process, as far as Chromium lets them: a new one costs as much as what it shows. */
const ONE_PROCESS = ['--renderer-process-limit=1', '--disable-site-isolation-trials'];

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...ONE_PROCESS] });
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
