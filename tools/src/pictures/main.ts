import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { hostInUrl, readVariable } from '@postrider/platform';
import { findRunning } from '../services/running';
import { obtainSecrets } from '../services/secrets';
import { findChromium } from './find-chromium';

/** A picture: a name, an address, and the text that must be on the page first. */
interface Picture {
  name: string;
  path(campaign: string): string;
  ready: string;
  /** Something to do first, as a person would. */
  prepare?(page: Page): Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: 'panel-overview', path: () => '/panel/apps/demo/overview', ready: 'Devices by platform' },
  { name: 'panel-campaign', path: (id) => `/panel/apps/demo/campaigns/${id}`, ready: 'Autumn sale' },
  {
    name: 'panel-compose',
    path: () => '/panel/apps/demo/compose',
    ready: 'Recipients',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Title' }).fill('Autumn sale: 20 % off');
      await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Everything warm, until Sunday.');
    },
  },
];

const SIZE = { width: 1_360, height: 850 };
const THEMES = ['light', 'dark'] as const;
const FOLDER = resolve('docs', 'images');
const QUALITY = 82;
const LARGEST_BYTES = 200_000;
const SETTLE_MS = 1_500;
const USAGE = 'Usage: npm run pictures   (beside npm start, once its demo application is filled)';

/** `npm run pictures`: photographs the filled panel and the simulator for the documents, in both themes. */
async function main(): Promise<void> {
  const dataDir = resolve(readVariable('DATA_DIR'));
  const running = await findRunning(dataDir);
  if (!running?.gatewayUrl) throw new Error(USAGE);
  const { adminToken } = await obtainSecrets(dataDir);
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('There is no Chromium on this machine (CHROMIUM_PATH).');
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    for (const theme of THEMES)
      await photographAll(browser, theme, running.gatewayUrl, process.env.ADMIN_TOKEN || adminToken);
  } finally {
    await browser.close();
  }
}

async function photographAll(
  browser: Browser,
  theme: (typeof THEMES)[number],
  gatewayUrl: string,
  token: string,
): Promise<void> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: SIZE,
    baseURL: gatewayUrl,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto('/panel');
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor({ state: 'attached' });
  const campaign = await findCampaign(gatewayUrl, token);
  for (const picture of PICTURES) {
    await page.goto(picture.path(campaign));
    await page.getByText(picture.ready).first().waitFor();
    await page.getByText('Being counted').first().waitFor({ state: 'hidden' });
    // The place of what is still being read.
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'hidden' });
    await picture.prepare?.(page);
    await page.waitForTimeout(SETTLE_MS);
    await photograph(page, `${picture.name}-${theme}`);
  }
  await page.goto(`http://${hostInUrl(readVariable('HOST'))}:${readVariable('SIMULATOR_CONTROL_PORT')}/`);
  await page.locator('.card').first().waitFor();
  await page.setViewportSize({ width: 760, height: 850 });
  await photograph(page, `inbox-${theme}`);
  await context.close();
}

/** The oldest autumn sale: everything that happens after a campaign has happened. */
async function findCampaign(gatewayUrl: string, token: string): Promise<string> {
  const answer = await fetch(`${gatewayUrl}/apps/demo/api/push/campaigns?trackId=autumn-sale&limit=100`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { campaigns } = (await answer.json()) as { campaigns?: { id: string }[] };
  const id = campaigns?.at(-1)?.id;
  if (id === undefined) throw new Error(`The demo application has no history yet.\n${USAGE}`);
  return id;
}

/** Playwright writes PNG and JPEG only; Chromium itself writes WebP, a third of the size. */
async function photograph(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > LARGEST_BYTES)
    throw new Error(`${name}.webp has ${bytes.length} bytes, and may have ${LARGEST_BYTES}`);
  await writeFile(join(FOLDER, `${name}.webp`), bytes);
  console.log(`docs/images/${name}.webp  ${Math.round(bytes.length / 1_000)} kB`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
