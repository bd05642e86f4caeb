import type { Page } from 'playwright-core';
import { inspectPage } from './support/inspect-page';
import type { PanelHarness, TestApplication } from './support/panel-harness';

const HOSTILE = '<img src=x onerror=alert(1)> \u202Eدیده';

/** The choices in a form whose text is not wholly shown. */
const CUT_CHOICES = `[...document.querySelectorAll('[aria-label$=" matches"]')]
  .filter((field) => field.scrollWidth > field.clientWidth)
  .map((field) => field.ariaLabel)`;

/** The operators of rules whose text is not wholly shown. */
const CUT_OPERATORS = `[...document.querySelectorAll('[aria-label^="Rule "][aria-label$=" …"]')]
  .filter((field) => field.scrollWidth > field.clientWidth)
  .map((field) => field.ariaLabel)`;

/** A segment: built, counted, explained, saved, exported, deleted. */
export function segmentsScenario(panel: () => PanelHarness): void {
  let application: TestApplication;

  beforeAll(async () => {
    application = await panel().application('segments');
    for (const [userId, deviceType] of [
      ['ada', 'android'],
      ['omid', 'ios'],
      ['mei', 'ios'],
    ] as const) {
      await register(application, userId, deviceType);
    }
    await application.server.call('POST', '/api/installations/addTags', { userId: 'omid', tags: ['gold', HOSTILE] });
  });

  it('is built rule by rule, counted and explained while it is, and saved', async () => {
    const page = await panel().open('/apps/segments/segments');
    await page.getByText('No segment is saved yet').waitFor();
    await inspectPage(page, 'segments-empty');
    await page.getByRole('link', { name: 'New segment' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await choose(page, 'Rule 1: field', 'Device type');
    await choose(page, 'Rule 1: Device type …', 'is');
    await page.getByRole('combobox', { name: 'Rule 1: value' }).fill('ios');
    await page.getByRole('status').getByText('2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByRole('combobox', { name: 'Rule 2.1: value' }).fill(HOSTILE);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'What each rule does' }).click();
    await page.getByText('Without it there would be 1 more.').waitFor();
    await page.getByLabel('User id').fill('mei');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('Would not get it').waitFor();
    await page.getByLabel('Name').fill('Golden iPhones');
    await inspectPage(page, 'segments-builder');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Golden iPhones' }).waitFor();
    const { body } = await application.server.call<{ segments: { segment: unknown }[] }>('GET', '/api/segments');
    expect(body.segments[0]?.segment).toEqual({
      all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }],
      any: [{ name: 'tags', operator: 'include', value: [HOSTILE] }],
    });
  });

  it('is measured when it is saved, and drawn over time once there is more than one measurement', async () => {
    const page = await panel().open('/apps/segments/segments');
    await page.getByRole('link', { name: 'Golden iPhones' }).click();
    const card = page.getByRole('region', { name: 'Size over time' });
    await card.getByText('Measured once').waitFor();
    await card.getByText('Users', { exact: true }).waitFor();
    await application.server.call('POST', '/api/installations/addTags', { userId: 'mei', tags: ['gold', HOSTILE] });
    await page.getByLabel('Name').fill('Golden iPhones, two');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Golden iPhones, two' }).waitFor();
    await card.locator('[class*="value"]', { hasText: '2' }).first().waitFor();
    await panel().postrider.database.dataSource.query(
      `INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable)
       SELECT app_id, segment_id, now() - n * interval '5 hours', 20 - n, 15 - n
       FROM segments CROSS JOIN generate_series(1, 12) n WHERE app_id = 'segments'`,
    );
    await page.reload();
    await card.getByRole('figure', { name: 'to 2 on' }).waitFor();
    await card.getByText('6 fewer than').waitFor();
    await inspectPage(page, 'segments-size');
    await page.getByLabel('Name').fill('Golden iPhones');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Golden iPhones', exact: true }).waitFor();
  });

  it('has room for how the rules of a group belong together, in a window of 320 pixels', async () => {
    const page = await panel().open('/apps/segments/segments/new');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Add a group' }).click();
    for (const group of ['The segment', 'Group 1']) {
      await choose(page, `${group} matches`, 'none of these');
    }
    expect(await page.evaluate<string[]>(CUT_CHOICES)).toEqual([]);
  });

  it('has room for the operators of groups inside groups, in a window of 320 pixels', async () => {
    const page = await panel().open('/apps/segments/segments/new');
    await page.setViewportSize({ width: 320, height: 640 });
    for (const place of ['1.1', '1.2.1', '1.2.2.1']) {
      await page.getByRole('button', { name: 'Add a group' }).first().click();
      await choose(page, `Rule ${place}: field`, 'Installed');
      await choose(page, `Rule ${place}: Installed …`, 'is at or before the moment');
    }
    expect(await page.evaluate<string[]>(CUT_OPERATORS)).toEqual([]);
  });

  it('says at the rule what is unfinished, and saves nothing', async () => {
    const page = await panel().open('/apps/segments/segments/new');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter at least one value').waitFor();
    await page.getByText('Enter a name').waitFor();
    const { body } = await application.server.call<{ segments: unknown[] }>('GET', '/api/segments');
    expect(body.segments).toHaveLength(1);
  });

  it('is exported and deleted', async () => {
    const page = await panel().open('/apps/segments/segments');
    await page.getByRole('link', { name: 'Golden iPhones' }).waitFor();
    await inspectPage(page, 'segments-list');
    await page.getByRole('link', { name: 'Golden iPhones' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    expect((await downloading).suggestedFilename()).toBe('segment.csv');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('No segment is saved yet').waitFor();
  });
}

/** Chooses from a list by its label. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Registers a device of a user. */
export async function register({ client }: TestApplication, userId: string, deviceType: string): Promise<string> {
  const token = Buffer.from(userId).toString('hex').padEnd(64, 'a').slice(0, 64);
  const device = { userId, deviceType, deviceToken: token, osVersion: '17.1', clientVersion: '2.4.0' };
  return (await client.call<{ id: string }>('POST', '/api/installations', device)).body.id;
}
