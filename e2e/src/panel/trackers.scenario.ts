import { cutTablesOf, inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';

/** Trackers: made, followed, counted, deleted. */
export function trackersScenario(panel: () => PanelHarness): void {
  let application: TestApplication;

  beforeAll(async () => {
    application = await panel().application('trackers');
  });

  it('are made, hand out links with every part encoded, and count who follows them', async () => {
    const page = await panel().open('/apps/trackers/trackers');
    await page.getByText('No tracker yet').waitFor();
    await page.getByRole('button', { name: 'New tracker' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Newsletter <b>');
    await page.getByLabel('Everywhere else').fill('javascript:alert(1)');
    await page.getByText('Links with javascript: are not allowed').waitFor();
    await page.getByLabel('Everywhere else').fill('https://shop.example');
    await inspectPage(page, 'tracker-new');
    await page.getByRole('button', { name: 'Create tracker' }).click();
    await page.getByRole('heading', { name: 'Newsletter <b>' }).waitFor();
    await page.getByLabel('Screen of the app').first().fill('shop://چای?a=1&b=2');
    const link = (await page.getByLabel('The link', { exact: true }).textContent()) ?? '';
    expect(new URL(link).searchParams.get('deep_link')).toBe('shop://چای?a=1&b=2');
    const agent = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36';
    await fetch(link, { redirect: 'manual', headers: { 'user-agent': agent } });
    await page.reload();
    await page.getByRole('table', { name: 'By platform' }).getByText('Android').waitFor();
    await inspectPage(page, 'tracker');
    expect(await cutTablesOf(page)).toEqual([]);
  });

  it('are listed and deleted', async () => {
    const page = await panel().open('/apps/trackers/trackers');
    await page.getByRole('link', { name: 'Newsletter <b>' }).waitFor();
    await inspectPage(page, 'trackers');
    await page.getByRole('link', { name: 'Newsletter <b>' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No tracker yet').waitFor();
    const { body } = await application.server.call<{ trackers: unknown[] }>('GET', '/api/trackers');
    expect(body.trackers).toEqual([]);
  });
}
