import { seedApplication } from '@postrider/tools/seed/seed-application';
import { inspectPage } from './support/inspect-page';
import type { PanelHarness } from './support/panel-harness';

/** The names in a list of sends of which less than ten letters are shown. */
const CUT_NAMES = `[...document.querySelectorAll('main li a bdi')]
  .filter((name) => name.scrollHeight > name.clientHeight + 1 && name.clientWidth < 100)
  .map((name) => name.textContent)`;

/** How the bars of devices stand out: backgrounds are all the same where the system chooses the colours. */
const BARS = `[...document.querySelectorAll('.meter')].map((bar) => ({
  border: getComputedStyle(bar).borderTopStyle,
  colours: new Set([bar, ...bar.children].map((part) => getComputedStyle(part).backgroundColor)).size,
}))`;

/** The state of an application: a new one, and one that sends. */
export function overviewScenario(panel: () => PanelHarness): void {
  it('tells a newcomer what to do first', async () => {
    const { admin } = panel().postrider;
    await admin.call('POST', '/api/admin/apps', { id: 'newborn', name: 'Newborn' });
    const page = await panel().open('/apps/newborn/overview');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.getByRole('link', { name: 'Connect' }).waitFor();
    await inspectPage(page, 'overview-new');
    await page.getByRole('link', { name: 'Connect' }).click();
    await page.getByRole('button', { name: 'Connect Firebase (FCM)' }).waitFor();
  });

  it('shows what was sent, whom it can reach, and how fast it sends', async () => {
    const { appId, server } = await panel().application('busy');
    await seedApplication(panel().postrider.database.url, {
      appId,
      devices: 2_000,
      reachable: true,
      mix: { fcm: 0.7, apns: 0.3 },
      withoutVacuum: true,
    });
    await server.call('POST', '/api/push/byQuery', {
      target: { deviceType: ['android', 'ios'] },
      content: 'Spring sale',
      trackId: 'spring',
      notification: { title: 'Spring sale', body: 'Until Sunday' },
    });
    const page = await panel().open(`/apps/${appId}/overview`);
    await page.getByRole('link', { name: /Spring sale/ }).waitFor();
    await page.getByText('to 2,000 devices').waitFor();
    await page.getByText('of 2,000', { exact: true }).waitFor();
    await page.getByRole('figure', { name: /devices in the last 10 minutes/ }).waitFor();
    await inspectPage(page, 'overview');
    await server.call('POST', '/api/push/byQuery', {
      target: { deviceType: 'ios' },
      content: 'The weekend is yours',
      sendAt: new Date(Date.now() + 86_400_000).toISOString(),
      notification: { title: 'The weekend is yours' },
    });
    await page.getByText('scheduled', { exact: true }).waitFor();
    for (const width of [1_440, 375]) {
      await page.setViewportSize({ width, height: 812 });
      expect([width, await page.evaluate<string[]>(CUT_NAMES)]).toEqual([width, []]);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    await page.locator('.meter').first().waitFor();
    const bar = { border: 'solid', colours: 3 };
    expect(await page.evaluate(BARS)).toEqual([bar, bar]);
  });
}
